import { join } from "node:path"
import { bodies } from "./bodies"
import { waitForCatchUp } from "./lag"
import { load } from "./load"
import type { Scene } from "./scene"
import type { Replicas } from "./speed-document"
import type { System } from "./system"

const CONNECTIONS = 128
const SETTLE_MS = 1_000 // until the second replica serves, or the first is alone again

/** Measures clicks with one and with two replicas of tracking, in turn. */
export async function compareReplicas(
  system: System,
  scene: Scene,
  rounds: number,
  seconds: number,
  log: (message: string) => void,
): Promise<Replicas> {
  const file = await bodies(system, scene).clicks(1_000)
  const clicks = { file, path: "/api/v1/track/click", connections: CONNECTIONS, seconds }
  const rates: Replicas = { one: [], two: [] }

  for (let round = 0; round < rounds; round++) {
    const one = await load(system, clicks)
    await waitForCatchUp(system)
    const second = await startSecond(system)
    const two = await load(system, clicks)
    await second.stop()
    await waitForCatchUp(system)
    rates.one.push(one.per_second)
    rates.two.push(two.per_second)
    log(`one tracking: ${Math.round(one.per_second)}/s, two: ${Math.round(two.per_second)}/s`)
    if (one.refused + two.refused > 0)
      throw new Error("Clicks were refused while two replicas of tracking ran.")
  }
  return rates
}

async function startSecond({ dataDir, databaseUrl, socketUrl }: System) {
  const program = join(import.meta.dir, "../deploy/part.ts")
  const nats = await Bun.file(join(dataDir, "nats.json")).json()
  const child = Bun.spawn([process.execPath, "--no-orphans", program, "tracking"], {
    cwd: join(import.meta.dir, ".."),
    env: {
      ...process.env,
      TRACKING_DATABASE_URL: "",
      DATABASE_URL: socketUrl ?? databaseUrl,
      NATS_URL: nats.tracking,
      SECRET_KEY: await Bun.file(join(dataDir, "secret_key")).text(),
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
