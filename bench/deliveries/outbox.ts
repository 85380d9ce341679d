import { bodies } from "../bodies"
import { waitForCatchUp } from "../lag"
import { load } from "../load"
import { createScene } from "../scene"
import { createWalFiles } from "../warm-up"
import { type Bench, pauseDelivery } from "./with-system"

const PARTNERS = 100
const CONNECTIONS = 32
const LEADS = 2_000
const SALES = 40_000
const PREPARING_SECONDS = 3
const OWNERS = ["tracking", "commissions"]

type Cost = {
  per_second: number
  postgres_us: number // per sale, as below
  services_us: number
  wal_bytes: number
}

/**
 * Sells as fast as 32 connections can, in turns with and without the rows of outgoing events. Delivery
 * is stopped, so only what a sale itself pays is compared, apart from building the events' JSON.
 */
export async function measureOutbox(bench: Bench, rounds: number, seconds: number) {
  const { system } = bench
  const scene = await createScene(system, PARTNERS)
  const { clicks, leads, sales } = bodies(system, scene)
  const { api_token: token } = scene
  const run = (file: string, path: string, seconds: number) =>
    load(system, { file, path, token, connections: CONNECTIONS, seconds })
  await createWalFiles(system)
  const resume = await pauseDelivery(bench)
  await run(await clicks(PARTNERS), "/api/v1/track/click", PREPARING_SECONDS)
  await run(await leads(LEADS), "/api/v1/track/lead", PREPARING_SECONDS)
  await createTrigger(bench)

  async function sell(withOutbox: boolean): Promise<Cost> {
    const file = await sales(SALES)
    await waitForCatchUp(system)
    await skipRows(bench, !withOutbox)
    await system.sql`checkpoint`
    const before = await walPosition(bench)
    const { per_second, requests, cpu_us } = await run(file, "/api/v1/track/sale", seconds)
    return {
      per_second,
      postgres_us: cpu_us.postgres!,
      services_us: cpu_us.tracking! + cpu_us.commissions!,
      wal_bytes: ((await walPosition(bench)) - before) / requests,
    }
  }

  await sell(true)
  const [without, beside]: [Cost[], Cost[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    without.push(await sell(false))
    beside.push(await sell(true))
  }
  await resume()
  return { with: beside, without }
}

async function createTrigger({ system: { sql } }: Bench) {
  for (const owner of OWNERS) {
    await sql.unsafe(`
      create function ${owner}.skip_row() returns trigger language plpgsql
        as 'begin return null; end';
      create trigger skip before insert on ${owner}.outgoing_events
        for each row execute function ${owner}.skip_row();
    `)
  }
}

async function skipRows({ system: { sql } }: Bench, isOn: boolean) {
  for (const owner of OWNERS) {
    await sql.unsafe(
      `alter table ${owner}.outgoing_events ${isOn ? "enable" : "disable"} trigger skip`,
    )
  }
}

async function walPosition({ system: { sql } }: Bench): Promise<number> {
  const [{ bytes }] = await sql<[{ bytes: number }]>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes
  `
  return bytes
}
