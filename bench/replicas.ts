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
    const second = await startReplica(system, "tracking")
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

/** Starts one more replica of a part, on the servers of the system. */
export async function startReplica(
  { dataDir, databaseUrl, socketUrl }: System,
  part: "tracking" | "delivery",
  environment: Record<string, string> = {},
) {
  const program = join(import.meta.dir, "../deploy/part.ts")
  const nats = await Bun.file(join(dataDir, "nats.json")).json()
  const child = Bun.spawn([process.execPath, "--no-orphans", program, part], {
    cwd: join(import.meta.dir, ".."),
    env: {
      ...process.env,
      [`${part.toUpperCase()}_DATABASE_URL`]: "",
      DATABASE_URL: socketUrl ?? databaseUrl,
      NATS_URL: nats[part],
      SECRET_KEY: await Bun.file(join(dataDir, "secret_key")).text(),
      LOG_LEVEL: "warn",
      ...environment,
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
