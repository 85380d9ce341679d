/** This machine does not allow a stage to be set up. */
export class StageUnavailable extends Error {}
