/** The environment of a trial: reports results, and stops what the trial started. */
export type Stage = {
  folder: string // its own, initially empty
  isShort: boolean
  log(line: string): void
  /** Reports and counts one check, which fails if there are problems. */
  verify(what: string, problems: string[]): void
  /** Registers a function to run at the end, in reverse order. */
  onEnd(end: () => unknown): void
}

/** Thrown if a trial cannot run here, whatever is installed. It then counts as skipped. */
export class Unavailable extends Error {}

export type Trial = {
  name: string
  needs: string[] // programs; `debian/…` is a program of Debian's PostgreSQL
  run(stage: Stage): Promise<void>
}
