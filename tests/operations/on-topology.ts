import { runLoad, verifyReports, verifyRows } from "./funnel"
import type { Stage, Trial } from "./stage"
import { runSuite } from "./suite"
import { auditSystem, startSystem } from "./system"
import type { Topology } from "./topology"

const SHORT_MS = 4_000
const LONG_MS = 20_000
const STRUCK_MAX_SHARE = 0.25
export const BUSY_MAX_SHARE = 0.05 // twenty processes that have just started share two cores

/** Runs Tributary on a topology: a funnel under load and the audit; at length also the HTTP suite. */
export const onTopology = (
  name: string,
  needs: string[],
  build: (stage: Stage) => Promise<Topology>,
): Trial => ({
  name,
  needs,
  async run(stage) {
    const topology = await build(stage)
    stage.tell(topology.servers)
    await tryFunnel(stage, topology)
    if (!stage.is_short) await runSuite(stage, topology)
  },
})

async function tryFunnel(stage: Stage, { environment, databases, strike, verify }: Topology) {
  const system = await startSystem(stage, "funnel", environment)
  const sent = await runLoad(stage, "funnel", {
    url: system.url,
    lasts_ms: stage.is_short ? SHORT_MS : LONG_MS,
    strike,
    failures_max_share: strike ? STRUCK_MAX_SHARE : BUSY_MAX_SHARE,
  })
  await verifyReports(stage, sent)
  const more = (await verify?.(system.url)) ?? []
  const wishes = new Map([sent, ...more].flatMap(({ journal }) => [...journal.wishes]))
  if (typeof databases === "string") await verifyRows(stage, databases, wishes)
  await auditSystem(stage, system)
  await system.stop()
}
