import type { Line } from "./chart"

/** How lines are drawn: they differ by more than their color. */
export const DASHES = [[], [8, 4], [2, 3], [12, 3, 2, 3]]
export const UNFINISHED = [3, 5]

export const dashOf = ({ isBefore }: Line, i: number): number[] =>
  isBefore ? [] : DASHES[i % DASHES.length]!
