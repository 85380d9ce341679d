import { config } from "../lib/config"
import { app, shutdown } from "./app"
import { takeFrom } from "./http/address"

const DRAIN_MS = 1_000 // idle connections are reset by a stop; until then each is told to close
const BODY_MAX_BYTES = 2 ** 40 // the answer to a body that is too large is ours (body.ts)

/** Takes requests until stopped; stopping finishes those under way. */
export async function start() {
  app.listen({ port: config.port, reusePort: true, maxRequestBodySize: BODY_MAX_BYTES })
  takeFrom(app.server)

  return async () => {
    shutdown.isShuttingDown = true
    await Bun.sleep(DRAIN_MS)
    await app.server?.stop()
  }
}
