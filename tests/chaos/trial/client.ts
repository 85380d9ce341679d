import { Agent, request } from "node:http"

const PATIENCE_MS = 15_000 // far beyond what anybody may be kept waiting

export type Answer = { status: number | null; body: any; retry_after: string | null }

/** Posts JSON over kept connections, and hides nothing: fetch would repeat what a reset broke. */
export function httpClient(base: string) {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(base)

  return function post(path: string, body: unknown, token?: string): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const broken = (reason: unknown) =>
      resolve({ status: null, body: `${reason}`, retry_after: null })
    const json = JSON.stringify(body)
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(json),
      ...(token && { authorization: `Bearer ${token}` }),
    }

    const call = request({ hostname, port, path, method: "POST", agent, headers }, answer => {
      let text = ""
      answer.setEncoding("utf8")
      answer.on("data", chunk => {
        text += chunk
      })
      answer.on("error", broken)
      answer.on("aborted", () => broken("aborted"))
      answer.on("end", () => {
        const retry_after = answer.headers["retry-after"] ?? null
        resolve({ status: answer.statusCode ?? null, body: parsed(text), retry_after })
      })
    })
    call.on("error", broken)
    call.setTimeout(PATIENCE_MS, () => call.destroy(new Error("no answer")))
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
