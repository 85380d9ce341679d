import { existsSync } from "node:fs"
import { PART_NAMES } from "../../../deploy/part"
import { runLoad, verifyReports, verifyRows } from "../funnel"
import { startNats } from "../nats"
import { newPostgres } from "../postgres"
import { waitUntil } from "../process"
import type { Stage, Trial } from "../stage"
import { auditSystem, type System, startSystem } from "../system"

const STEADY_MS = 1_000 // before the restarts, and after them
const START_MS = 3_000 // a replacement's time to start before the next replica is restarted

/**
 * Restarts one process after another with SIGTERM, each when the last one has been replaced. No
 * request over kept-alive connections may fail. If short, restarts one replica of each part.
 */
export const rollingRestart: Trial = {
  name: "A rolling restart under load",
  needs: ["nats-server"],
  async run(stage) {
    const server = await newPostgres(stage, "postgres", "embedded")
    const nats = await startNats(stage, 1)
    stage.log(`${nats.version}, ${server.version}`)
    const environment = { DATABASE_URL: server.url, NATS_URL: nats.url, REPLICAS: "2" }
    const system = await startSystem(stage, "system", environment)

    const sent = await runLoad(stage, "funnel", {
      url: system.url,
      durationMs: 2 * STEADY_MS,
      halfway: () => restartAll(stage, system),
      failureShareMax: 0,
    })
    await verifyReports(stage, sent)
    await verifyRows(stage, server.url, sent.journal.requests)
    await auditSystem(stage, system)
  },
}

async function restartAll(stage: Stage, { processes }: System) {
  let restarted = 0
  for (const part of PART_NAMES) {
    const replicas = (await processes()).filter(({ name }) => name === part)
    for (const { pid, replica } of stage.isShort ? replicas.slice(0, 1) : replicas) {
      process.kill(pid, "SIGTERM")
      await waitUntil(`${part} ${replica} is replaced`, async () => {
        const found = (await processes()).find(
          other => other.name === part && other.replica === replica,
        )
        return !existsSync(`/proc/${pid}`) && found !== undefined && found.pid !== pid
      })
      restarted++
      if (!stage.isShort) await Bun.sleep(START_MS)
    }
  }
  stage.log(`${restarted} processes were restarted`)
}
