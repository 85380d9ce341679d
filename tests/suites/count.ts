/** What became of the tests of a suite. `failures` says what failed, and how. */
export type Count = { passed: number; failed: number; skipped: number; failures: string[] }

export const NONE: Count = { passed: 0, failed: 0, skipped: 0, failures: [] }

/** A part of all tests. It prints as it runs, and never throws because of a test. */
export type Suite = { title: string; run: (print: Print) => Promise<Count> }

export type Print = (text: string) => void
