import { isCurrent } from "./etag"
import { readsGzip } from "./gzip"
import type { Declaration, Input } from "./route"

/** A text that is the same for every caller. */
export type StaticFile = {
  type: string
  text: string
  gzipped: Uint8Array<ArrayBuffer>
  etag: string
}

export const staticFile = (type: string, text: string): StaticFile => ({
  type,
  text,
  gzipped: Bun.gzipSync(text, { level: 9 }),
  etag: `W/"${Bun.SHA256.hash(text, "hex").slice(0, 32)}"`,
})

/**
 * Replies with a file, compressed if the client reads gzip, or with 304 if its copy is current.
 * `cache_control` says how long a copy is used without asking.
 */
export function sendFile(
  { request, set }: Pick<Input<Declaration>, "request" | "set">,
  { type, text, gzipped, etag }: StaticFile,
  cache_control: string,
) {
  set.headers["cache-control"] = cache_control
  set.headers["content-type"] = `${type}; charset=utf-8`
  set.headers.vary = "accept-encoding"
  set.headers.etag = etag
  if (isCurrent(request, etag)) {
    set.status = 304
    return
  }
  if (!readsGzip(request.headers.get("accept-encoding"))) return text
  set.headers["content-encoding"] = "gzip"
  return gzipped
}
