import { beforeAll, describe, expect, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { sum } from "../../support/metrics"
import { launchWithMetrics } from "../../support/system-with-metrics"

const ERROR = 50 // pino's number for the level
const CROWD = 20

let system: Awaited<ReturnType<typeof launchWithMetrics>>
beforeAll(async () => {
  system = await launchWithMetrics({ LOG_LEVEL: "info" })
}, 60_000)

const head = (path: string, length: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${length}\r\n\r\n`

/** Sends the start of a request and resolves once it is on its way. */
function begin(text: string): Promise<Socket> {
  const { promise, resolve } = Promise.withResolvers<Socket>()
  const socket = connect(Number(new URL(system.url).port), "127.0.0.1", () =>
    socket.write(text, () => resolve(socket)),
  )
  socket.on("error", () => {}) // a reset connection
  return promise
}

type Line = { level: number; msg: string; route?: string; status?: number }

/** The log's lines about requests to a route. */
const answeredAt = (route: string): Line[] =>
  system
    .output()
    .split("\n")
    .filter(line => line.startsWith("{") && line.endsWith("}"))
    .map(line => JSON.parse(line))
    .filter(line => line.msg === "answered" && line.route === route)

const errors = () => {
  const lines = system.output().split("\n")
  return lines.filter(line => line.includes(`"level":${ERROR}`))
}

const replies = async (labels: Record<string, string>) =>
  sum(await system.scrape(), "tributary_http_request_duration_seconds_count", labels)

const ROUTES = ["/api/v1/track/click", "/api/v1/track/lead", "/api/auth/sign-in"]
const FRAMINGS: [string, string][] = [
  ["Content-Length: 1000", '{"affiliate_url": "https://'],
  ["Transfer-Encoding: chunked", '1b\r\n{"affiliate_url": "https://\r\n'],
]
const ENDINGS = ["end", "destroy", "resetAndDestroy"] as const

describe.each(ROUTES)("a caller of %s who hangs up in mid-body", route => {
  test.each(FRAMINGS)(
    "is no bug: no error is logged, and no 500 counted (%s)",
    async (framing, part) => {
      const before = answeredAt(route).length
      const crowd = await Promise.all(
        Array.from({ length: CROWD }, () => begin(head(route, framing) + part)),
      )
      await Bun.sleep(100) // the gateway waits for the rest
      for (const [i, socket] of crowd.entries()) socket[ENDINGS[i % ENDINGS.length]!]()

      while (answeredAt(route).length < before + CROWD) await Bun.sleep(20)
      const statuses = answeredAt(route).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([400]))
      expect(errors()).toEqual([])
      expect(await replies({ route, status: "500" })).toBe(0)
      expect(await replies({ route, status: "400" })).toBe(before + CROWD)
      expect((await fetch(`${system.url}/healthz`)).status).toBe(200)
    },
  )
})
