import type { Program } from "./state"

/** All programs of a run, and the time of the present round. */
export type World = {
  now: number
  /** Whether the clock was set ahead. Its steps are doubted, so that no hold ends any more. */
  isAhead: boolean
  programs: Program[]
  /** The sales of programs at the end of the last round, which other programs must not repeat. */
  transaction_ids: { id: string; program: Program }[]
}
