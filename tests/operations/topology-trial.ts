import { runLoad, verifyReports, verifyRows } from "./funnel"
import type { Stage, Trial } from "./stage"
import { runSuite } from "./suite"
import { auditSystem, startSystem } from "./system"
import type { Topology } from "./topology"

const SHORT_MS = 4_000
const LONG_MS = 20_000
const DISRUPTED_FAILURE_SHARE_MAX = 0.25
export const FAILURE_SHARE_MAX = 0.05 // twenty freshly started processes may share two cores

/** Runs Tributary on a topology: a funnel under load, the audit, and, if long, the HTTP suite. */
export const topologyTrial = (
  name: string,
  needs: string[],
  build: (stage: Stage) => Promise<Topology>,
): Trial => ({
  name,
  needs,
  async run(stage) {
    const topology = await build(stage)
    stage.log(topology.servers)
    await runFunnel(stage, topology)
    if (!stage.isShort) await runSuite(stage, topology)
  },
})

async function runFunnel(stage: Stage, { environment, databases, disrupt, verify }: Topology) {
  const system = await startSystem(stage, "funnel", environment)
  const sent = await runLoad(stage, "funnel", {
    url: system.url,
    durationMs: stage.isShort ? SHORT_MS : LONG_MS,
    halfway: disrupt,
    failureShareMax: disrupt ? DISRUPTED_FAILURE_SHARE_MAX : FAILURE_SHARE_MAX,
  })
  await verifyReports(stage, sent)
  const more = (await verify?.(system.url)) ?? []
  const requests = new Map([sent, ...more].flatMap(({ journal }) => [...journal.requests]))
  if (typeof databases === "string") await verifyRows(stage, databases, requests)
  await auditSystem(stage, system)
  await system.stop()
}
