import type { Program } from "../reports/program"
import { median } from "../reports/quantile"
import type { Tributary } from "../reports/tributary"

const DAY_MS = 86_400_000
const REPETITIONS = 15
const PAGE_SIZE = 50

export type Narrowed = { name: string; rows: number; plain_ms: number; narrowed_ms: number }

type Query = Record<string, string>

/**
 * Pages of the list of events, narrowed and not, in turn: the first and the last page of each
 * narrowed list, of all time and between two moments within an hour.
 */
export async function measureNarrowed(tributary: Tributary, program: Program): Promise<Narrowed[]> {
  const found: Narrowed[] = []
  for (const [range, dates] of rangesOf(program)) {
    for (const [name, filter, common = {}] of filtersOf(program)) {
      const plain = { ...dates, ...common }
      const narrowed = { ...plain, ...filter }
      const rows: number = (await read(tributary, program, narrowed, 1)).meta.pagination.total
      const last = Math.max(1, Math.ceil(rows / PAGE_SIZE)) // few events match in a small load
      for (const page of new Set([1, last])) {
        const times = await inTurn(REPETITIONS, [
          () => read(tributary, program, plain, page),
          () => read(tributary, program, narrowed, page),
        ])
        const [plain_ms, narrowed_ms] = times.map(median) as [number, number]
        const place = `${name}, ${range}, ${page === 1 ? "first" : "last"} page`
        found.push({ name: place, rows, plain_ms, narrowed_ms })
      }
    }
  }
  return found
}

/** Each partner has fewer clicks than the one before. */
function filtersOf(program: Program): [name: string, filter: Query, common?: Query][] {
  const { first_partner_id, first_link_id, partners } = program
  const last = { partner_id: `${first_partner_id + partners - 1}` }
  return [
    ["largest partner", { partner_id: `${first_partner_id}` }],
    ["smallest partner", last],
    ["largest link", { link_id: `${first_link_id}` }],
    ["largest country", { country: "US" }],
    ["sales of a country", { country: "JP" }, { eventType: "conversion" }],
    ["a country of the smallest partner", { country: "JP", ...last }],
  ]
}

const rangesOf = ({ to }: Program): [name: string, dates: Query][] => [
  ["all time", {}],
  ["94 ragged days", { dateFrom: daysBefore(to, 97.31), dateTo: daysBefore(to, 3.67) }],
]

const daysBefore = (date: Date, days: number) =>
  new Date(date.getTime() - days * DAY_MS).toISOString()

function read({ send }: Tributary, { id, session }: Program, query: Query, page: number) {
  const parameters = new URLSearchParams({ ...query, page: `${page}`, pageSize: `${PAGE_SIZE}` })
  return send("GET", `/api/tracking/events/${id}?${parameters}`, session)
}

/** Milliseconds of each call in each repetition. The first one warms up. */
async function inTurn(repetitions: number, calls: (() => Promise<unknown>)[]) {
  const times = calls.map(() => [] as number[])
  for (let repetition = 0; repetition <= repetitions; repetition++) {
    for (const [i, call] of calls.entries()) {
      const start = performance.now()
      await call()
      if (repetition > 0) times[i]!.push(performance.now() - start)
    }
  }
  return times
}
