import { join } from "node:path"
import { bodies } from "./bodies"
import { catchUp } from "./lag"
import { load } from "./load"
import type { Scene } from "./scene"
import type { Replicas } from "./speed-document"
import type { System } from "./system"

const CONNECTIONS = 128
const SETTLE_MS = 1_000 // until a second one serves, or the first is alone again

/** Clicks with one tracking and with two, in turn. */
export async function compareReplicas(
  system: System,
  scene: Scene,
  rounds: number,
  seconds: number,
  say: (what: string) => void,
): Promise<Replicas> {
  const file = await bodies(system, scene).clicks(1_000)
  const asked = { file, path: "/api/v1/track/click", connections: CONNECTIONS, seconds }
  const found: Replicas = { one: [], two: [] }

  for (let round = 0; round < rounds; round++) {
    const one = await load(system, asked)
    await catchUp(system)
    const second = await startSecond(system)
    const two = await load(system, asked)
    await second.stop()
    await catchUp(system)
    found.one.push(one.per_second)
    found.two.push(two.per_second)
    say(`one tracking ${Math.round(one.per_second)}/s, two ${Math.round(two.per_second)}/s`)
    if (one.refused + two.refused > 0)
      throw new Error("Clicks were refused beside a second tracking.")
  }
  return found
}

async function startSecond({ data_dir, database_url, socket_url }: System) {
  const program = join(import.meta.dir, "../deploy/part.ts")
  const nats = await Bun.file(join(data_dir, "nats.json")).json()
  const child = Bun.spawn([process.execPath, "--no-orphans", program, "tracking"], {
    cwd: join(import.meta.dir, ".."),
    env: {
      ...process.env,
      TRACKING_DATABASE_URL: "",
      DATABASE_URL: socket_url ?? database_url,
      NATS_URL: nats.tracking,
      SECRET_KEY: await Bun.file(join(data_dir, "secret_key")).text(),
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "inherit", "inherit"],
  })
  await Bun.sleep(SETTLE_MS)
  return {
    stop: async () => {
      child.kill("SIGTERM")
      await child.exited
    },
  }
}
