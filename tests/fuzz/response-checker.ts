import { openapiChecker } from "../support/openapi-checker"
import type { FuzzRequest } from "./requests"
import { type Reply, sendRaw } from "./send-raw"

const INTERNALS = /\bat .+:\d+:\d+|PostgresError|node_modules|\bsyntax error\b|\brelation "|\$\d+\b/
const SETTLE_MS = 1_500 // for background work to finish

/**
 * Returns a function that sends a request and checks the reply. It throws for a 5xx, a missing or
 * undocumented reply, and a refusal that reveals internals or has written something.
 */
export async function responseChecker(url: string, counts: () => Promise<string>) {
  const check = await openapiChecker(url)
  let known = await counts()

  return async (request: FuzzRequest): Promise<Reply> => {
    const reply = await sendRaw(url, request)
    const { status, text } = reply
    if (status >= 500) throw new Error(`answered ${status}: ${text.slice(0, 200)}`)
    check(request.method, request.path, reply)
    if (status < 400) {
      known = await counts()
      return reply
    }
    const revealed = INTERNALS.exec(text)?.[0]
    if (revealed && !`${request.path}${request.body}`.includes(revealed)) {
      throw new Error(`answered ${status} and revealed internals: ${text.slice(0, 200)}`)
    }
    if ((await counts()) !== known) await expectNothingWritten(request)
    return reply
  }

  /** Sends the request again, because the write may be late background work of an earlier one. */
  async function expectNothingWritten(request: FuzzRequest) {
    await Bun.sleep(SETTLE_MS)
    const before = await counts()
    await sendRaw(url, request)
    known = await counts()
    if (known !== before) throw new Error(`was refused but wrote: ${difference(before, known)}`)
  }
}

function difference(before: string, after: string): string {
  const was = new Set(before.split("\n"))
  return after
    .split("\n")
    .filter(line => !was.has(line))
    .join(", ")
}
