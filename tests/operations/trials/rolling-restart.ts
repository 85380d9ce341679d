import { existsSync } from "node:fs"
import { PART_NAMES } from "../../../deploy/part"
import { runLoad, verifyReports, verifyRows } from "../funnel"
import { startNats } from "../nats"
import { newPostgres } from "../postgres"
import { waitUntil } from "../process"
import type { Stage, Trial } from "../stage"
import { auditSystem, type System, startSystem } from "../system"

const CALM_MS = 1_000
const START_MS = 3_000 // what a replacement may take before its twin is restarted

/**
 * SIGTERM to one process after the other, the next when the last has its successor: no request over
 * kept connections fails. In short one replica of each part is restarted.
 */
export const rollingRestart: Trial = {
  name: "A rolling restart under load",
  needs: ["nats-server"],
  async run(stage) {
    const server = await newPostgres(stage, "postgres", "embedded")
    const nats = await startNats(stage, 1)
    stage.tell(`${nats.version}, ${server.version}`)
    const environment = { DATABASE_URL: server.url, NATS_URL: nats.url, REPLICAS: "2" }
    const system = await startSystem(stage, "system", environment)

    const sent = await runLoad(stage, "funnel", {
      url: system.url,
      lasts_ms: 2 * CALM_MS,
      strike: () => restartAll(stage, system),
      failures_max_share: 0,
    })
    await verifyReports(stage, sent)
    await verifyRows(stage, server.url, sent.journal.wishes)
    await auditSystem(stage, system)
  },
}

async function restartAll(stage: Stage, { processes }: System) {
  let restarted = 0
  for (const part of PART_NAMES) {
    const replicas = (await processes()).filter(({ name }) => name === part)
    for (const { pid, replica } of stage.is_short ? replicas.slice(0, 1) : replicas) {
      process.kill(pid, "SIGTERM")
      await waitUntil(`${part} ${replica} has a successor`, async () => {
        const found = (await processes()).find(
          other => other.name === part && other.replica === replica,
        )
        return !existsSync(`/proc/${pid}`) && found !== undefined && found.pid !== pid
      })
      restarted++
      if (!stage.is_short) await Bun.sleep(START_MS)
    }
  }
  stage.tell(`${restarted} processes were restarted`)
}
