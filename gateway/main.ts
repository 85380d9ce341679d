import { config } from "../lib/config"
import { app, shutdown } from "./app"
import { useServer } from "./http/address"
import { flushCalls } from "./http/call-log"
import { followProxyNames } from "./http/trusted-proxies"
import { bundleOf } from "./routes/pages/bundle"
import { ROUTES } from "./routes/routes"

const DRAIN_MS = 1_000 // stopping resets idle connections; until then replies close theirs
const BODY_MAX_BYTES = 2 ** 40 // http/body.ts sends the 413 itself

/** Serves requests. The returned function stops the server after pending requests are done. */
export async function start() {
  const stopFollowing = await followProxyNames()
  app.listen({ port: config.port, reusePort: true, maxRequestBodySize: BODY_MAX_BYTES })
  useServer(app.server)
  void bundleOf(ROUTES) // while no one waits for it

  return async () => {
    shutdown.isShuttingDown = true
    await Bun.sleep(DRAIN_MS)
    await app.server?.stop()
    await flushCalls()
    await stopFollowing()
  }
}
