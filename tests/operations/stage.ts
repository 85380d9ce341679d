/** Where something is tried: it tells what held and what did not, and ends what was started. */
export type Stage = {
  folder: string // its own, and empty
  is_short: boolean
  tell(line: string): void
  /** Counts one thing that was to be so; `shortfalls` say in what it is not. */
  verify(what: string, shortfalls: string[]): void
  /** Does so at the end, what was said last first. */
  after(end: () => unknown): void
}

/** It cannot be tried here, whatever is installed: thrown, it counts as skipped. */
export class Unavailable extends Error {}

export type Trial = {
  name: string
  needs: string[] // programs; `debian/…` are those of Debian's PostgreSQL
  run(stage: Stage): Promise<void>
}
