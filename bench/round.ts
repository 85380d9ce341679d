import { bodies } from "./bodies"
import { checkBooks, readBooks } from "./books"
import { lagDuring, waitForCatchUp } from "./lag"
import { measureLimits } from "./limits"
import { type Load, load } from "./load"
import type { Scene } from "./scene"
import type { System } from "./system"
import type { yardstick } from "./yardstick"

const CLICK = "/api/v1/track/click"
const LEAD = "/api/v1/track/lead"
const SALE = "/api/v1/track/sale"
const BODIES_PER_RUN = 40_000

export type Loaded = Load & {
  connections: number
  lag_seconds_max: number
  catch_up_seconds: number
}
export type Round = Awaited<ReturnType<typeof measureRound>>
type Yardstick = Awaited<ReturnType<typeof yardstick>>

/** Measures yardstick and Tributary once each, in turn, and lets reporting catch up in between. */
export async function measureRound(
  system: System,
  scene: Scene,
  { measure }: Yardstick,
  seconds: number,
  log: (message: string) => void,
) {
  const { clicks, leads, sales } = bodies(system, scene)
  const files = { thousand: await clicks(1_000), hot: await clicks(1) }

  async function best(clients: number[], run: (clients: number) => Promise<number>) {
    const rates: number[] = []
    for (const count of clients) rates.push(await run(count))
    if (rates.includes(0)) log("pgbench was starved: another program is using this machine")
    return Math.max(...rates)
  }
  async function loadWith(
    connections: number,
    request: { file: string; path: string; token?: string },
  ) {
    const work = () => load(system, { ...request, connections, seconds })
    const { result, lag_seconds_max } = await lagDuring(system, work)
    const catch_up_seconds = await waitForCatchUp(system)
    log(`${request.path} at ${connections}: ${Math.round(result.per_second)}/s`)
    return { ...result, connections, lag_seconds_max, catch_up_seconds } satisfies Loaded
  }
  const click = (file: string, connections: number) => loadWith(connections, { file, path: CLICK })
  const { api_token: token } = scene

  log("pgbench: clicks on 1,000 links")
  const transaction = await best([8, 32, 64], clients => measure("click", clients, seconds))
  const statement = await best([32, 64], clients => measure("click-statement", clients, seconds))
  const before = await readBooks(system, scene)
  const thousand: Loaded[] = []
  for (const connections of [1, 32, 128, 512]) {
    thousand.push(await click(files.thousand, connections))
  }

  log("pgbench: clicks on one link")
  const transaction_hot = await best([1, 8, 32], clients => measure("click", clients, seconds, 1))
  const hot = [await click(files.hot, 128), await click(files.hot, 512)]
  const clickLoads = [...thousand, ...hot]
  const answered = clickLoads.reduce((sum, { requests, refused }) => sum + requests - refused, 0)
  const unacknowledged = clickLoads.reduce((sum, { connections }) => sum + connections, 0)
  checkBooks(await readBooks(system, scene), before.clicks + answered, unacknowledged)

  log("pgbench: leads and sales")
  const lead = await best([8, 32], clients => measure("lead", clients, seconds))
  const led = await loadWith(32, { file: await leads(BODIES_PER_RUN), path: LEAD, token })
  const sale = await best([8, 32], clients => measure("sale", clients, seconds))
  const sale_statement = await best([8, 32], clients => measure("sale-statement", clients, seconds))
  const sold: Loaded[] = []
  for (const connections of [32, 128]) {
    const file = await sales(BODIES_PER_RUN)
    sold.push(await loadWith(connections, { file, path: SALE, token }))
  }
  const idle = await click(files.thousand, 1)
  const limits = await measureLimits(files.thousand, Math.min(seconds, 3))

  return {
    pgbench: { transaction, statement, transaction_hot, lead, sale, sale_statement },
    clicks: { thousand, hot },
    ...{ led, sold, idle, limits },
  }
}
