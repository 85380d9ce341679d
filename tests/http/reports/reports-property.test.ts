import { beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  type ClockedProgram,
  type ClockedSystem,
  launchWithClock,
} from "../../support/clocked-system"
import { runRebuildReports } from "../../support/commands"
import { newFunnel, openClicks } from "../../support/funnel"
import { FIRST, type World, world } from "../../support/random-world"
import { recount } from "../../support/recount"
import { eventsOf, type Recorded, rowsOf } from "../../support/source-rows"

const TIMEOUT_MS = 120_000
const WORLDS_MAX = 8
const BEGIN_WITHIN_MS = 10_000 // the last world, on a machine that is slow
const PAGES_MAX = 12
const OPEN_MAX = 2
const WRITERS = 6
const ROUNDS = 25
const DAY_MS = 24 * 60 * 60 * 1_000

/** A failure prints its seed and path: with them the very same world comes again. */
const { REPORTS_SEED, REPORTS_PATH } = process.env

let traveller: ClockedSystem
beforeAll(async () => {
  traveller = await launchWithClock()
}, TIMEOUT_MS)

type Answered = { now: string; path: string; session: string; text: string }
const answered: Answered[] = []

describe("The reports of any funnel", () => {
  test(
    "equal a recount from the owners' tables",
    async () => {
      const begin_until = Date.now() + BEGIN_WITHIN_MS
      const holds = fc.asyncProperty(world, async world => {
        if (answered.length > 0 && Date.now() > begin_until) return
        const program = await happens(world)
        const rows = await rowsOf(traveller.sql, program.id)
        await comparePerformance(program, rows, world)
        for (const listing of world.listings) await compareListing(program, rows, listing)
      })
      await fc.assert(holds, {
        numRuns: WORLDS_MAX,
        endOnFailure: true,
        ...(REPORTS_SEED && { seed: Number(REPORTS_SEED) }),
        ...(REPORTS_PATH && { path: REPORTS_PATH }),
      })
    },
    TIMEOUT_MS,
  )

  test(
    "are the same bytes when they are made anew",
    async () => {
      expect((await runRebuildReports(traveller.data_dir)).output).toContain("rebuilt")

      expect(answered.length).toBeGreaterThan(0)
      for (const { now, path, session, text } of answered) {
        await traveller.clock.set(now)
        expect((await traveller.read(path, session)).text).toBe(text)
      }
    },
    TIMEOUT_MS,
  )

  test(
    "lose nothing and double nothing while many write and somebody reads",
    async () => {
      const program = await traveller.newProgram(FIRST, {})
      await traveller.clock.release()
      const funnel = await newFunnel(traveller, program)
      await funnel.perform({ what: "click", who: 0, link: 0 })
      let clicks = 1

      const writers = Array.from({ length: WRITERS }, async (_, who) => {
        for (let round = 0; round < ROUNDS; round++) {
          const at = new Date().toISOString()
          const commit = round % 5 === 0 && (await openClicks(traveller.sql, program.id, at, 2))
          await funnel.perform({ what: "click", who, link: round % 3 })
          clicks++
          if (round === 3) await funnel.perform({ what: "lead", who, has_token: true })
          if (round % 7 === 6) await funnel.perform({ ...SALE, who })
          if (commit) await commit()
        }
      })
      const path = `/api/tracking/events/${program.id}?eventType=click&pageSize=1`
      const reader = (async () => {
        for (let seen = 0, isOver = false; !isOver; ) {
          isOver = clicks === 1 + WRITERS * ROUNDS
          const least = Math.max(seen, clicks)
          seen = (await traveller.read(path, program.session)).body.meta.pagination.total
          expect(seen).toBeGreaterThanOrEqual(least)
        }
      })()
      await Promise.all([...writers, reader])

      const rows = await rowsOf(traveller.sql, program.id)
      expect(rows.clicks).toHaveLength(1 + WRITERS * (ROUNDS + (ROUNDS / 5) * 2))
      await compareListing(program, rows, { page_size: 100 })
    },
    TIMEOUT_MS,
  )
})

const SALE = { what: "sale", amount_cents: 4_999, currency: "USD", renews: false } as const

/** Lets a program have its history, while somebody looks at it now and then. */
async function happens({ terms, steps }: World): Promise<ClockedProgram> {
  const program = await traveller.newProgram(FIRST, terms)
  const funnel = await newFunnel(traveller, program)
  await funnel.perform({ what: "click", who: 0, link: 0 })

  const commits: (() => Promise<unknown>)[] = []
  for (const { at, moves, opens, looks } of steps) {
    await traveller.clock.set(at)
    if (opens && commits.length < OPEN_MAX) {
      commits.push(await openClicks(traveller.sql, program.id, at, opens))
    }
    const look = looks && traveller.read(`/api/tracking/events/${program.id}`, program.session)
    await Promise.all([look, ...moves.map(funnel.perform)])
  }
  for (const commit of commits) {
    await traveller.read(`/api/tracking/performance/${program.id}`, program.session)
    await commit()
  }
  return program
}

async function comparePerformance(
  program: ClockedProgram,
  rows: Recorded,
  { terms, ranges, periods }: World,
) {
  const custom = ranges.map(range => ({ now: FIRST, period: "custom", ...range }))
  const usual = periods.map(({ now, period }) => ({ now, period, ...rangeOf(now, period) }))

  for (const { now, period, from, to } of [...custom, ...usual]) {
    const query = period === "custom" ? `dateFrom=${from}&dateTo=${to}` : `period=${period}`
    const path = `/api/tracking/performance/${program.id}?${query}`
    const { meta, ...expected } = recount(rows, terms.currency, from, to)
    expect(await ask(program, path, now)).toEqual({ ...expected, meta: { ...meta, period } })
  }
}

/** What the contract says of periods that end with today. */
function rangeOf(now: string, period: string) {
  const to = now.slice(0, 10)
  const days = { "7d": 7, "30d": 30, "90d": 90 }[period]
  const from = days ? new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString() : FIRST
  return { from: from.slice(0, 10), to }
}

type Listing = { event_type?: string; bounds?: World["ranges"][number]; page_size: number }

async function compareListing(program: ClockedProgram, rows: Recorded, listing: Listing) {
  const { event_type: eventType, bounds, page_size } = listing
  const expected = eventsOf(rows, {
    event_type: eventType,
    from: bounds && whole(bounds.from, "T00:00:00.000Z"),
    to: bounds && whole(bounds.to, "T23:59:59.999Z"),
  })
  const total = expected.length
  const pageCount = Math.ceil(total / page_size)

  for (let page = 1; page <= Math.min(pageCount, PAGES_MAX) + 1; page++) {
    const query = new URLSearchParams({
      ...(eventType && { eventType }),
      ...(bounds && { dateFrom: bounds.from, dateTo: bounds.to }),
      ...{ page: `${page}`, pageSize: `${page_size}` },
    })
    const body = await ask(program, `/api/tracking/events/${program.id}?${query}`, FIRST)
    expect(body).toEqual({
      data: expected.slice((page - 1) * page_size, page * page_size),
      meta: { pagination: { page, pageSize: page_size, pageCount, total } },
    })
  }
}

const whole = (time: string, of_day: string) => (time.length === 10 ? `${time}${of_day}` : time)

/** An answer at a time, written down so that it can be compared once more. */
async function ask({ session }: ClockedProgram, path: string, now: string) {
  await traveller.clock.set(now)
  const { body, text } = await traveller.read(path, session)
  answered.push({ now, path, session, text })
  return body
}
