import { openapiChecker } from "../support/openapi-checker"
import type { FuzzRequest } from "./requests"
import { type Answer, sendRaw } from "./send-raw"

const INTERNALS = /\bat .+:\d+:\d+|PostgresError|node_modules|\bsyntax error\b|\brelation "|\$\d+\b/
const REST_MS = 1_500 // until what the service does by itself has come to rest

/**
 * Sends a request, and throws where the answer breaks a promise: a 5xx, one that does not come or
 * is not documented, a refusal that tells of our insides or has written something.
 */
export async function responseChecker(url: string, counts: () => Promise<string>) {
  const check = await openapiChecker(url)
  let known = await counts()

  return async (asked: FuzzRequest): Promise<Answer> => {
    const answer = await sendRaw(url, asked)
    const { status, text } = answer
    if (status >= 500) throw new Error(`answered ${status}: ${text.slice(0, 200)}`)
    check(asked.method, asked.path, answer)
    if (status < 400) {
      known = await counts()
      return answer
    }
    const told = INTERNALS.exec(text)?.[0]
    if (told && !`${asked.path}${asked.body}`.includes(told)) {
      throw new Error(`answered ${status} and told of our insides: ${text.slice(0, 200)}`)
    }
    if ((await counts()) !== known) await refuseWriting(asked)
    return answer
  }

  /** What the service did late for an earlier request is none of this one's: it is asked again. */
  async function refuseWriting(asked: FuzzRequest) {
    await Bun.sleep(REST_MS)
    const before = await counts()
    await sendRaw(url, asked)
    known = await counts()
    if (known !== before) throw new Error(`was refused, and wrote: ${difference(before, known)}`)
  }
}

function difference(before: string, after: string): string {
  const was = new Set(before.split("\n"))
  return after
    .split("\n")
    .filter(line => !was.has(line))
    .join(", ")
}
