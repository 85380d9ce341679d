import type { Program } from "./program"
import { type Request, requestsOf } from "./requests"
import type { Database, Tributary } from "./tributary"

const REQUESTS = 10 // per repetition: a single reply is too fast to measure

export type Measured = Pick<Request, "name" | "goal"> & { pairs: Pair[] }
/** Milliseconds of one reply over HTTP, of its SQL in PostgreSQL, and of the naive SQL. */
type Pair = { http_ms: number; sql_ms: number; naive_ms: number }

/** Runs every request over HTTP and as naive SQL, in turn, and checks that the results agree. */
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
      if (repetition > 0) measured[i]?.pairs.push(pair) // the first repetition warms up both
    }
  }
  return measured
}

async function compare(tributary: Tributary, program: Program, request: Request): Promise<Pair> {
  const { sql, send } = tributary
  let reply: any // any: the body of a reply, as in requests.ts
  let http_ms = 0
  const sql_ms = await statementMs(sql, OURS, async () => {
    const start = performance.now()
    for (let i = 0; i < REQUESTS; i++) reply = await send("GET", request.path, program.session)
    http_ms = (performance.now() - start) / REQUESTS
  })
  let naiveResult: unknown
  const naive_ms = await statementMs(sql, NAIVE, async () => {
    naiveResult = await request.naive(sql, reply)
  })
  request.compare(reply, naiveResult)
  return { http_ms, sql_ms: sql_ms / REQUESTS, naive_ms }
}

/** Milliseconds of the naive SQL for each request, in each repetition. */
export async function measureNaive(
  { sql, send }: Tributary,
  program: Program,
  events: number,
  repetitions: number,
): Promise<number[][]> {
  const times: number[][] = []
  for (const request of requestsOf(program, events)) {
    const reply = await send("GET", request.path, program.session)
    const measurements = []
    for (let repetition = 0; repetition < repetitions; repetition++) {
      measurements.push(await statementMs(sql, NAIVE, () => request.naive(sql, reply)))
    }
    times.push(measurements)
  }
  return times
}

/** Statements that read reporting's own tables, except those that read feed positions. */
const OURS = (sql: Database) => sql`
  userid = 'tributary_reporting'::regrole
  and query ~ '^\\s*(select|with)'
  and query ~ '\\m(daily|daily_money|daily_breakdown|hourly|events|partners|commissions|conversions)\\M'
  and query !~ '\\minsert\\M'
`
const NAIVE = (sql: Database) => sql`
  userid = current_user::regrole and query ~ 'affiliate_'
`

/** Runs `work`. Returns the milliseconds PostgreSQL spent on the statements `filter` selects. */
async function statementMs(sql: Database, filter: typeof OURS, work: () => Promise<unknown>) {
  await sql`select pg_stat_statements_reset()`
  await work()
  const [{ ms }] = await sql<[{ ms: number }]>`
    select coalesce(sum(total_plan_time + total_exec_time), 0) as ms
    from pg_stat_statements
    where ${filter(sql)}
  `
  return ms
}
