import { freePort } from "../../deploy/port"

export type Received = { path: string; headers: Headers; body: string; at_ms: number }

/** What a receiver does with a request. Default: status 200 at once. */
type Answer = (request: Received) => Response | Promise<Response>

/**
 * Starts a server of webhooks on every address of 127.66.0.0/16. It keeps what it received, and counts
 * the requests that are open at once, by path. Launch Tributary with its environment.
 */
export async function startReceiver() {
  const port = await freePort()
  const received: Received[] = []
  const open = new Map<string, number>()
  const most = new Map<string, number>()
  const answers = new Map<string, Answer>()

  const server = Bun.serve({
    port,
    hostname: "0.0.0.0",
    idleTimeout: 60,
    async fetch(request) {
      const at_ms = Date.now()
      const { pathname: path } = new URL(request.url)
      const now = (open.get(path) ?? 0) + 1
      open.set(path, now)
      most.set(path, Math.max(now, most.get(path) ?? 0))
      const one = { path, headers: request.headers, body: await request.text(), at_ms }
      received.push(one)
      const ended = new Promise<Response>(resolve =>
        request.signal.addEventListener("abort", () => resolve(new Response())),
      )
      const answer = answers.get(path)?.(one) ?? new Response("ok")
      const response = await Promise.race([answer, ended])
      open.set(path, open.get(path)! - 1)
      return response
    },
  })
  return {
    url: (path: string, host = 1) => `http://127.66.0.${host}:${port}/${path}`,
    environment: { DELIVERY_ALLOW_HTTP: "on", DELIVERY_PORTS: `${port}` },
    answer: (path: string, answer: Answer) => answers.set(`/${path}`, answer),
    received: (path: string) => received.filter(one => one.path === `/${path}`),
    openAt: (path: string) => open.get(`/${path}`) ?? 0,
    mostAtOnce: (path: string) => most.get(`/${path}`) ?? 0,
    stop: () => server.stop(true),
  }
}

export const never = () => new Promise<Response>(() => {})

/** Waits until something holds. */
export async function eventually<Found>(
  find: () => Found | Promise<Found>,
  within_ms = 15_000,
): Promise<NonNullable<Found>> {
  const end_ms = Date.now() + within_ms
  for (;;) {
    const found = await find()
    if (found) return found
    if (Date.now() > end_ms) throw new Error(`It did not happen within ${within_ms} ms.`)
    await Bun.sleep(50)
  }
}
