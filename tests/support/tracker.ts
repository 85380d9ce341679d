/** A request that a tracker has received. `path` has the query. */
export type Received = { method: string; path: string; headers: Headers; body: string }

type Answer = (received: Received) => number | Promise<number>

const PAUSE_MS = 50
const WITHIN_MS = 60_000

/** Starts a tracker on this machine that keeps all requests. It replies with the status of `answer`. */
export function startTracker(answer: Answer = () => 200) {
  const received: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const one = { method, path: pathname + search, headers, body: await request.text() }
      received.push(one)
      return new Response("ok", { status: await answer(one) })
    },
  })
  const at = (path: string) => received.filter(one => one.path.startsWith(path))

  /** The requests to paths that begin so, once there are as many. Throws if they do not come. */
  async function until(count: number, path: string) {
    const end_ms = Date.now() + WITHIN_MS
    while (at(path).length < count && Date.now() < end_ms) await Bun.sleep(PAUSE_MS)
    if (at(path).length >= count) return at(path)
    throw new Error(`Only ${at(path).length} of ${count} came to ${path}.`)
  }
  const stop = () => server.stop(true)
  return { url: `http://127.0.0.1:${server.port}`, port: server.port!, at, until, stop }
}

/** What lets Tributary send to a tracker on this machine. */
export const sendsTo = (port: number) => ({
  DELIVERY_PRIVATE_NETWORKS: "127.0.0.0/8",
  DELIVERY_ALLOW_HTTP: "on",
  DELIVERY_PORTS: `${port}`,
})

/** The parameters of the query of a request. */
export const parametersOf = ({ path }: Received): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(path.split("?")[1] ?? ""))
