import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { randomText } from "../../deploy/data-dir"
import { freePort } from "../../deploy/port"
import { startServer, waitUntil } from "./process"
import { programOf, versionOf } from "./programs"
import type { Stage } from "./stage"

/** Starts a cluster of `size` NATS servers on loopback. */
export async function startNats(stage: Stage, size: number) {
  const program = programOf("nats-server")!
  const token = randomText()
  const nodes = await Promise.all(
    Array.from({ length: size }, async (_, i) => ({
      name: `nats-${i}`,
      port: await freePort(),
      route: await freePort(),
      monitor: await freePort(),
    })),
  )
  const routes = nodes.map(({ route }) => `"nats://127.0.0.1:${route}"`).join(", ")
  const started = nodes.map(({ name, port, route, monitor }) => {
    const settings = join(stage.folder, `${name}.conf`)
    writeFileSync(
      settings,
      `server_name: ${name}
listen: "127.0.0.1:${port}"
http: "127.0.0.1:${monitor}"
authorization { token: "${token}" }
cluster { name: tributary, listen: "127.0.0.1:${route}", routes: [${routes}] }
`,
    )
    const server = startServer(stage, name, [program, "--config", settings])
    const fetchStatus = async (path: string): Promise<any> =>
      (await fetch(`http://127.0.0.1:${monitor}/${path}`)).json()
    return { name, fetchStatus, ...server }
  })
  for (const { fetchStatus } of started) {
    await waitUntil(
      "NATS has its routes",
      async () => (await fetchStatus("routez")).num_routes >= size - 1,
    )
  }
  const [first, ...others] = nodes.map(({ port }) => `127.0.0.1:${port}`)
  return {
    url: [`nats://${token}@${first}`, ...others].join(),
    nodes: started,
    version: versionOf(program),
  }
}
