import { connect } from "node:net"
import type { Fault } from "./fault"
import { KINDS } from "./journal"

const HOLD_MS = 4_000
const PAUSE_MS = 20
const PATHS = ["click", "lead", "sale", "refund"].map(kind => `/api/v1/track/${kind}`)

/** Callers who hang up in the middle of a body disturb no other caller. */
export const hangUps: Fault = {
  name: "callers who hang up in mid-body",
  stage: "machine",
  holdMs: HOLD_MS,
  recoveryMaxSeconds: 0,
  unaffected: KINDS,
  async inject({ url }) {
    let count = 0
    const timer = setInterval(() => hangUp(url, PATHS[count++ % PATHS.length]!), PAUSE_MS)
    return async () => {
      clearInterval(timer)
      return Date.now()
    }
  },
}

/** Announces a body, sends its beginning and closes the connection: in order, or by a reset. */
function hangUp(url: string, path: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {}) // the gateway may be faster
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 1000\r\n\r\n{"affiliate_url": "https://shop',
    () => (Math.random() < 0.5 ? socket.resetAndDestroy() : socket.end()),
  )
}
