import { createServer } from "node:net"

const RANGE_START = 20_000
const RANGE_SIZE = 12_000 // ends below 32768: Linux uses the ports above for outgoing connections

/** Returns a free TCP port of this machine. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = RANGE_START + Math.floor(Math.random() * RANGE_SIZE)
    if (String(port) === process.env.PORT) continue // reserved for the gateway
    if (await isFree(port)) return port
  }
}

export function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer()
    .once("error", () => resolve(false))
    .once("listening", () => server.close(() => resolve(true)))
    .listen(port)
  return promise
}
