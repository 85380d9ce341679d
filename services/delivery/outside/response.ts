const EXCERPT_BYTES_MAX = 1_024
const RETRY_AFTER_SECONDS_MAX = 86_400

/** Returns the beginning of a body as text of at most 1 KiB that PostgreSQL can store. */
export function excerptOf(body: Buffer): string {
  const text = textOf(body).replaceAll("\0", "\uFFFD")
  return textOf(Buffer.from(text)) // again: what stands for broken bytes is longer than they are
}

/** `stream` leaves out a character that the limit cuts in two. */
const textOf = (bytes: Buffer) =>
  new TextDecoder().decode(bytes.subarray(0, EXCERPT_BYTES_MAX), { stream: true })

/** Reads Retry-After, in seconds or as a date. Null: it is absent or malformed. At most a day. */
export function retryAfterOf(header: string | undefined): number | null {
  const seconds = /^\d+$/.test(header ?? "") ? Number(header) : secondsUntil(header)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), RETRY_AFTER_SECONDS_MAX)
}

const secondsUntil = (date = "") =>
  date.endsWith("GMT") ? Math.ceil((Date.parse(date) - Date.now()) / 1_000) : Number.NaN
