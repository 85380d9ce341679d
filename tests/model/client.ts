import { Agent, request } from "node:http"

const TIMEOUT_MS = 15_000

export type Reply = { status: number | null; body: any } // null: the answer was lost
export type Request = { method: string; path: string; token?: string; body?: unknown }
export type Send = (request: Request) => Promise<Reply>

/** Sends JSON over kept-alive connections. Not `fetch`, which repeats a request after a reset. */
export function httpClient(base: string): Send {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(base)

  return function send({ method, path, token, body }) {
    const { promise, resolve } = Promise.withResolvers<Reply>()
    const fail = (reason: unknown) => resolve({ status: null, body: `${reason}` })
    const json = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...(json !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(json),
      }),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const call = request({ hostname, port, path, method, agent, headers }, response => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", chunk => {
        text += chunk
      })
      response.on("error", fail)
      response.on("aborted", () => fail("aborted"))
      response.on("end", () => resolve({ status: response.statusCode!, body: parsed(text) }))
    })
    call.on("error", fail)
    call.setTimeout(TIMEOUT_MS, () => call.destroy(new Error("no reply")))
    call.end(json)
    return promise
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
