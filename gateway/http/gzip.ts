/** Whether the client accepts gzip, according to its Accept-Encoding. */
export const readsGzip = (accepted: string | null): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted ?? "")

const SMALL_BYTES = 1024 // of which compressing saves little

/**
 * Compresses the JSON of a reply that is larger than 1 kB, for clients that accept it (behaviour
 * 1.17). Returns other replies unchanged. Only reads may use it: replies to POST contain secrets,
 * and the length of a compressed reply tells something of what it contains.
 */
export function gzipJson({ headers }: Request, set: { headers: Headers }, answer: unknown) {
  const type = set.headers["content-type"] ?? JSON_TYPE
  if (!`${type}`.startsWith("application/json") || answer === undefined || isRaw(answer)) {
    return answer
  }
  set.headers.vary = "accept-encoding"
  if (!readsGzip(headers.get("accept-encoding"))) return answer

  const text = typeof answer === "string" ? answer : JSON.stringify(answer)
  if (Buffer.byteLength(text) <= SMALL_BYTES) return answer
  set.headers["content-type"] = type
  set.headers["content-encoding"] = "gzip"
  return Bun.gzipSync(text)
}

type Headers = Record<string, string | number | string[]>

const JSON_TYPE = "application/json;charset=utf-8" // as of replies that are not compressed
const isRaw = (answer: unknown) => answer instanceof Response || answer instanceof Uint8Array
