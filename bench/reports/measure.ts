import type { Program } from "./program"
import { type Request, requestsOf } from "./requests"
import type { Database, Tributary } from "./tributary"

const ASKS = 10 // in each repetition: one answer alone takes too little to be read

export type Measured = Pick<Request, "name" | "goal"> & { pairs: Pair[] }
/** What one answer took in milliseconds, over HTTP and in PostgreSQL, and what the naive SQL did. */
type Pair = { http_ms: number; sql_ms: number; naive_ms: number }

/** Asks everything in turns, ours and the naive way one after the other, and compares what they say. */
export async function measure(
  tributary: Tributary,
  program: Program,
  events: number,
  repetitions: number,
): Promise<Measured[]> {
  const requests = requestsOf(program, events)
  const measured = requests.map(({ name, goal }) => ({ name, goal, pairs: [] as Pair[] }))

  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const [i, request] of requests.entries()) {
      const pair = await compare(tributary, program, request)
      if (repetition > 0) measured[i]?.pairs.push(pair) // the first warms both
    }
  }
  return measured
}

async function compare(tributary: Tributary, program: Program, request: Request): Promise<Pair> {
  const { sql, send } = tributary
  let answer: any // any: as in requests.ts
  let http_ms = 0
  const sql_ms = await meter(sql, OURS, async () => {
    const began = performance.now()
    for (let ask = 0; ask < ASKS; ask++) answer = await send("GET", request.path, program.session)
    http_ms = (performance.now() - began) / ASKS
  })
  let found: unknown
  const naive_ms = await meter(sql, NAIVE, async () => {
    found = await request.naive(sql, answer)
  })
  request.compare(answer, found)
  return { http_ms, sql_ms: sql_ms / ASKS, naive_ms }
}

/** How long the naive SQL takes for each request, whatever has been done to help it. */
export async function measureNaive(
  { sql, send }: Tributary,
  program: Program,
  events: number,
  repetitions: number,
): Promise<number[][]> {
  const times: number[][] = []
  for (const request of requestsOf(program, events)) {
    const answer = await send("GET", request.path, program.session)
    const taken = []
    for (let repetition = 0; repetition < repetitions; repetition++) {
      taken.push(await meter(sql, NAIVE, () => request.naive(sql, answer)))
    }
    times.push(taken)
  }
  return times
}

/** The reads of reporting's own tables, except those that tell it how far it has read. */
const OURS = (sql: Database) => sql`
  userid = 'tributary_reporting'::regrole
  and query ~ '^\\s*(select|with)'
  and query ~ '\\m(daily|daily_money|daily_breakdown|hourly|events|partners|commissions|conversions)\\M'
  and query !~ '\\minsert\\M'
`
const NAIVE = (sql: Database) => sql`
  userid = current_user::regrole and query ~ 'affiliate_'
`

/** The milliseconds that PostgreSQL plans and executes the statements of `whose` meanwhile. */
async function meter(sql: Database, whose: typeof OURS, work: () => Promise<unknown>) {
  await sql`select pg_stat_statements_reset()`
  await work()
  const [{ ms }] = await sql<[{ ms: number }]>`
    select coalesce(sum(total_plan_time + total_exec_time), 0) as ms
    from pg_stat_statements
    where ${whose(sql)}
  `
  return ms
}
