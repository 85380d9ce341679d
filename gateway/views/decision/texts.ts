/** A day in a sentence: "8 Dec 2026", in UTC. */
export function dayText(at: string): string {
  const [, day, month, year] = new Date(at).toUTCString().split(" ")
  return `${Number(day)} ${month} ${year}`
}

/** A rate in a sentence: "30 %", "12.5 %". */
export const rateText = (rate_bps: number): string => `${rate_bps / 100} %`

/** A number of things in a sentence: "1 day", "3 days". */
export const countText = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`

export const because = (reason: string | null): string => (reason ? ` Reason: ${reason}` : "")
