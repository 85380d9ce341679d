import { launch } from "./launcher"

let count = 0

/** An address that nobody has called from. The numbers are for documentation (RFC 5737, 3849). */
export const newAddress = () => `2001:db8:${(++count).toString(16)}::1`

type Sent = { address?: string; token?: string; body?: unknown; headers?: Record<string, string> }

/** Tributary with rate limits, and what calls it, from any address that it is told of. */
export async function limited(environment: Record<string, string>) {
  const launcher = await launch({ RATE_LIMITS: "on", ...environment })
  const url = await launcher.ready

  async function send(method: string, path: string, { address, token, body, headers }: Sent = {}) {
    const answer = await fetch(`${url}${path}`, {
      method,
      keepalive: false, // each call may meet another gateway
      headers: {
        "content-type": "application/json",
        ...(address && { "x-forwarded-for": address }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: typeof body === "object" ? JSON.stringify(body) : (body as string | undefined),
    })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any }
  }

  /** Many calls at once; how many of them were not turned away for being too many. */
  async function passed(calls: number, call: (i: number) => Promise<{ status: number }>) {
    const answers = await Promise.all(Array.from({ length: calls }, (_, i) => call(i)))
    return answers.filter(({ status }) => status !== 429).length
  }

  return { send, passed }
}
