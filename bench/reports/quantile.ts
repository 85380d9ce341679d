/** The number below which this part of them lies. */
export function quantile(numbers: number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const median = (numbers: number[]): number => quantile(numbers, 0.5)
