import { Agent, request } from "node:http"
import type { FuzzRequest } from "./requests"

const TIMEOUT_MS = 5_000

export type Reply = { status: number; headers: Headers; body: unknown; text: string }

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** Sends what `fetch` would not: repeated headers, raw bytes. Throws if no reply comes in time. */
export function sendRaw(url: string, { method, path, headers, body }: FuzzRequest): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const length = body === null ? {} : { "content-length": `${Buffer.byteLength(body)}` }
  const options = { method, headers: { ...headers, ...length }, agent, path }
  const sent = request(url, options, response => {
    const chunks: Uint8Array[] = []
    response.on("data", chunk => chunks.push(chunk))
    response.on("error", reject)
    response.on("end", () => {
      const bytes = Buffer.concat(chunks)
      const isZipped = response.headers["content-encoding"] === "gzip"
      const text = isZipped ? "" : bytes.toString()
      const type = response.headers["content-type"] ?? ""
      const body = type.startsWith("application/json") ? JSON.parse(text) : text
      const headers = new Headers({ "content-type": type })
      resolve({ status: response.statusCode ?? 0, headers, body, text })
    })
  })
  sent.on("error", reject)
  const timer = setTimeout(
    () => sent.destroy(new Error(`no reply in ${TIMEOUT_MS} ms`)),
    TIMEOUT_MS,
  )
  sent.end(body ?? undefined)
  return promise.finally(() => clearTimeout(timer))
}
