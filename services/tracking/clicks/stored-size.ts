const STORED_MAX_BYTES = 6 * 1024

/** What may be cut: everything that has no short limit of its own. */
const LONG = ["affiliate_url", "page_url", "page_title", "referrer_url", "user_agent"] as const

/**
 * Cuts the texts of a click to 6 KiB in total, because a click needs no credential (behaviour
 * 1.7.4). The longest text is cut first, to half at most. What they say about link, referrer and
 * device has been derived before.
 */
export function limitStoredSize(visit: Record<(typeof LONG)[number], string | null>) {
  for (;;) {
    const excess_bytes = storedBytes(visit) - STORED_MAX_BYTES
    if (excess_bytes <= 0) return

    const longest = LONG.reduce((one, other) =>
      bytesOf(visit[other]) > bytesOf(visit[one]) ? other : one,
    )
    const bytes = bytesOf(visit[longest])
    visit[longest] = firstBytes(visit[longest]!, Math.max(bytes - excess_bytes, bytes >> 1))
  }
}

const storedBytes = (visit: object): number =>
  Object.values(visit).reduce<number>((sum, value) => sum + bytesOf(value), 0)

const bytesOf = (value: unknown): number =>
  typeof value === "string" ? Buffer.byteLength(value) : 0

/** The start of a text, at most this long in UTF-8, without half a character at its end. */
function firstBytes(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true })
}
