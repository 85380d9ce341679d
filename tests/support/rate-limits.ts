import { httpClient, type RequestOptions } from "./http"
import { launch } from "./launcher"

let count = 0

/** An address that has not called yet, from the range for documentation (RFC 3849). */
export const newAddress = () => `2001:db8:${(++count).toString(16)}::1`

type Options = RequestOptions & { address?: string }

/** Starts Tributary with rate limits. `send` calls it from any client address. */
export async function launchWithRateLimits(environment: Record<string, string>) {
  const launcher = await launch({ RATE_LIMITS: "on", ...environment })
  const url = await launcher.ready

  const request = httpClient(url, { keepalive: false }) // each call may reach another gateway

  const send = (method: string, path: string, { address, headers, ...options }: Options = {}) =>
    request(method, path, {
      ...options,
      headers: { ...(address && { "x-forwarded-for": address }), ...headers },
    })

  /** Sends many calls at once. Returns how many were not answered 429. */
  async function countAllowed(calls: number, call: (i: number) => Promise<{ status: number }>) {
    const answers = await Promise.all(Array.from({ length: calls }, (_, i) => call(i)))
    return answers.filter(({ status }) => status !== 429).length
  }

  return { url, send, countAllowed, data_dir: launcher.data_dir }
}
