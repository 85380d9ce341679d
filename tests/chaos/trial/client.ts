import { Agent, request } from "node:http"

const TIMEOUT_MS = 15_000 // three times as long as any reply may take

export type Reply = { status: number | null; body: any; retry_after: string | null }

/** Posts JSON over kept-alive connections. Not `fetch`, which repeats a request after a reset. */
export function httpClient(base: string) {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(base)

  return function post(path: string, body: unknown, token?: string): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>()
    const fail = (reason: unknown) =>
      resolve({ status: null, body: `${reason}`, retry_after: null })
    const json = JSON.stringify(body)
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(json),
      ...(token && { authorization: `Bearer ${token}` }),
    }

    const call = request({ hostname, port, path, method: "POST", agent, headers }, response => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", chunk => {
        text += chunk
      })
      response.on("error", fail)
      response.on("aborted", () => fail("aborted"))
      response.on("end", () => {
        const retry_after = response.headers["retry-after"] ?? null
        resolve({ status: response.statusCode ?? null, body: parseIfJson(text), retry_after })
      })
    })
    call.on("error", fail)
    call.setTimeout(TIMEOUT_MS, () => call.destroy(new Error("no reply")))
    call.end(json)
    return promise
  }
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
