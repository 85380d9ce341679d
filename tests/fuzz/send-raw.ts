import { Agent, request } from "node:http"
import type { FuzzRequest } from "./requests"

const HANG_MS = 5_000

export type Answer = { status: number; headers: Headers; body: unknown; text: string }

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** Sends what no fetch would: names twice, bytes as they are. Throws where no answer comes. */
export function sendRaw(
  url: string,
  { method, path, headers, body }: FuzzRequest,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const length = body === null ? {} : { "content-length": `${Buffer.byteLength(body)}` }
  const options = { method, headers: { ...headers, ...length }, agent, path }
  const sent = request(url, options, answer => {
    const chunks: Uint8Array[] = []
    answer.on("data", chunk => chunks.push(chunk))
    answer.on("error", reject)
    answer.on("end", () => {
      const bytes = Buffer.concat(chunks)
      const isZipped = answer.headers["content-encoding"] === "gzip"
      const text = isZipped ? "" : bytes.toString()
      const type = answer.headers["content-type"] ?? ""
      const body = type.startsWith("application/json") ? JSON.parse(text) : text
      const said = new Headers({ "content-type": type })
      resolve({ status: answer.statusCode ?? 0, headers: said, body, text })
    })
  })
  sent.on("error", reject)
  const impatience = setTimeout(
    () => sent.destroy(new Error(`no answer in ${HANG_MS} ms`)),
    HANG_MS,
  )
  sent.end(body ?? undefined)
  return promise.finally(() => clearTimeout(impatience))
}
