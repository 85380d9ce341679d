import { bodies } from "./bodies"
import { booksOf, checkBooks } from "./books"
import { catchUp, lagDuring } from "./lag"
import { measureLimits } from "./limits"
import { type Load, load } from "./load"
import type { Scene } from "./scene"
import type { System } from "./system"
import type { yardstick } from "./yardstick"

const CLICK = "/api/v1/track/click"
const LEAD = "/api/v1/track/lead"
const SALE = "/api/v1/track/sale"
const BODIES_OF_ONE_RUN = 40_000

export type Loaded = Load & {
  connections: number
  lag_seconds_max: number
  catch_up_seconds: number
}
export type Round = Awaited<ReturnType<typeof measureRound>>
type Yardstick = Awaited<ReturnType<typeof yardstick>>

/** Yardstick and candidate in turn, once each. Reporting has caught up before the next begins. */
export async function measureRound(
  system: System,
  scene: Scene,
  { measure }: Yardstick,
  seconds: number,
  say: (what: string) => void,
) {
  const { clicks, leads, sales } = bodies(system, scene)
  const files = { thousand: await clicks(1_000), hot: await clicks(1) }

  async function best(clients: number[], once: (clients: number) => Promise<number>) {
    const rates: number[] = []
    for (const count of clients) rates.push(await once(count))
    if (rates.includes(0)) say("pgbench was starved: something else uses this machine")
    return Math.max(...rates)
  }
  async function under(connections: number, asked: { file: string; path: string; token?: string }) {
    const work = () => load(system, { ...asked, connections, seconds })
    const { result, lag_seconds_max } = await lagDuring(system, work)
    const catch_up_seconds = await catchUp(system)
    say(`${asked.path} at ${connections}: ${Math.round(result.per_second)}/s`)
    return { ...result, connections, lag_seconds_max, catch_up_seconds } satisfies Loaded
  }
  const click = (file: string, connections: number) => under(connections, { file, path: CLICK })
  const { api_token: token } = scene

  say("pgbench: clicks on 1,000 links")
  const transaction = await best([8, 32, 64], clients => measure("click", clients, seconds))
  const statement = await best([32, 64], clients => measure("click-statement", clients, seconds))
  const before = await booksOf(system, scene)
  const thousand: Loaded[] = []
  for (const connections of [1, 32, 128, 512]) {
    thousand.push(await click(files.thousand, connections))
  }

  say("pgbench: clicks on one link")
  const transaction_hot = await best([1, 8, 32], clients => measure("click", clients, seconds, 1))
  const hot = [await click(files.hot, 128), await click(files.hot, 512)]
  const clicked = [...thousand, ...hot]
  const answered = clicked.reduce((sum, { requests, refused }) => sum + requests - refused, 0)
  const unheard = clicked.reduce((sum, { connections }) => sum + connections, 0)
  checkBooks(await booksOf(system, scene), before.clicks + answered, unheard)

  say("pgbench: leads and sales")
  const lead = await best([8, 32], clients => measure("lead", clients, seconds))
  const led = await under(32, { file: await leads(BODIES_OF_ONE_RUN), path: LEAD, token })
  const sale = await best([8, 32], clients => measure("sale", clients, seconds))
  const sale_statement = await best([8, 32], clients => measure("sale-statement", clients, seconds))
  const sold: Loaded[] = []
  for (const connections of [32, 128]) {
    const file = await sales(BODIES_OF_ONE_RUN)
    sold.push(await under(connections, { file, path: SALE, token }))
  }
  const idle = await click(files.thousand, 1)
  const limits = await measureLimits(files.thousand, Math.min(seconds, 3))

  return {
    pgbench: { transaction, statement, transaction_hot, lead, sale, sale_statement },
    clicks: { thousand, hot },
    ...{ led, sold, idle, limits },
  }
}
