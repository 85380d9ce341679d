/** The system under test that a fault needs (scenes.ts). */
export type Stage = "machine" | "network" | "disk" | "clock"

/** This machine does not allow a stage to be set up. */
export class StageUnavailable extends Error {}
