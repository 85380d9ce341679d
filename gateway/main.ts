import { config } from "../lib/config"
import { app, shutdown } from "./app"
import { useServer } from "./http/address"

const DRAIN_MS = 1_000 // a stop resets idle connections; until then each reply says Connection: close
const BODY_MAX_BYTES = 2 ** 40 // so that the 413 is ours (http/body.ts)

/** Serves requests until the returned function is called, which finishes those under way. */
export async function start() {
  app.listen({ port: config.port, reusePort: true, maxRequestBodySize: BODY_MAX_BYTES })
  useServer(app.server)

  return async () => {
    shutdown.isShuttingDown = true
    await Bun.sleep(DRAIN_MS)
    await app.server?.stop()
  }
}
