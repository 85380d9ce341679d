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
const BEGIN_WITHIN_MS = 10_000 // no further world afterwards, on a slow machine
const PAGES_MAX = 12
const OPEN_MAX = 2
const WRITERS = 6
const ROUNDS = 25
const DAY_MS = 24 * 60 * 60 * 1_000

/** A failure prints its seed and path. They generate the same world again. */
const { REPORTS_SEED, REPORTS_PATH } = process.env

let system: ClockedSystem
beforeAll(async () => {
  system = await launchWithClock()
}, TIMEOUT_MS)

type KeptReply = { now: string; path: string; session: string; text: string }
const keptReplies: KeptReply[] = []

describe("The reports of any funnel", () => {
  test(
    "equal a recount from the owners' tables",
    async () => {
      const startUntil = Date.now() + BEGIN_WITHIN_MS
      const holds = fc.asyncProperty(world, async world => {
        if (keptReplies.length > 0 && Date.now() > startUntil) return
        const program = await playSteps(world)
        const rows = await rowsOf(system.sql, program.id)
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
    "are byte for byte the same after a rebuild",
    async () => {
      expect((await runRebuildReports(system.data_dir)).output).toContain("rebuilt")

      expect(keptReplies.length).toBeGreaterThan(0)
      for (const { now, path, session, text } of keptReplies) {
        await system.clock.set(now)
        expect(JSON.stringify((await system.read(path, session)).body)).toBe(text)
      }
    },
    TIMEOUT_MS,
  )

  test(
    "lose and duplicate nothing under concurrent writes and reads",
    async () => {
      const program = await system.newProgram(FIRST, {})
      await system.clock.release()
      const funnel = await newFunnel(system, program)
      await funnel.perform({ what: "click", who: 0, link: 0 })
      let clicks = 1

      const writers = Array.from({ length: WRITERS }, async (_, who) => {
        for (let round = 0; round < ROUNDS; round++) {
          const at = new Date().toISOString()
          const commit = round % 5 === 0 && (await openClicks(system.sql, program.id, at, 2))
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
          seen = (await system.read(path, program.session)).body.meta.pagination.total
          expect(seen).toBeGreaterThanOrEqual(least)
        }
      })()
      await Promise.all([...writers, reader])

      const rows = await rowsOf(system.sql, program.id)
      expect(rows.clicks).toHaveLength(1 + WRITERS * (ROUNDS + (ROUNDS / 5) * 2))
      await compareListing(program, rows, { page_size: 100 })
    },
    TIMEOUT_MS,
  )
})

const SALE = { what: "sale", amount_cents: 4_999, currency: "USD", renews: false } as const

/** Plays the steps of a world, with reads in between. Returns its new program. */
async function playSteps({ terms, steps }: World): Promise<ClockedProgram> {
  const program = await system.newProgram(FIRST, terms)
  const funnel = await newFunnel(system, program)
  await funnel.perform({ what: "click", who: 0, link: 0 })

  const commits: (() => Promise<unknown>)[] = []
  for (const { at, moves, opens, looks } of steps) {
    await system.clock.set(at)
    if (opens && commits.length < OPEN_MAX) {
      commits.push(await openClicks(system.sql, program.id, at, opens))
    }
    const listing = looks && system.read(`/api/tracking/events/${program.id}`, program.session)
    await Promise.all([listing, ...moves.map(funnel.perform)])
  }
  for (const commit of commits) {
    await system.read(`/api/tracking/performance/${program.id}`, program.session)
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
    expect(await readAt(program, path, now)).toEqual({ ...expected, meta: { ...meta, period } })
  }
}

/** The dates of a period that ends with today (behaviour 7.1.2). */
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
    from: bounds && withTimeOfDay(bounds.from, "T00:00:00.000Z"),
    to: bounds && withTimeOfDay(bounds.to, "T23:59:59.999Z"),
  })
  const total = expected.length
  const pageCount = Math.ceil(total / page_size)

  for (let page = 1; page <= Math.min(pageCount, PAGES_MAX) + 1; page++) {
    const query = new URLSearchParams({
      ...(eventType && { eventType }),
      ...(bounds && { dateFrom: bounds.from, dateTo: bounds.to }),
      ...{ page: `${page}`, pageSize: `${page_size}` },
    })
    const body = await readAt(program, `/api/tracking/events/${program.id}?${query}`, FIRST)
    expect(body).toEqual({
      data: expected.slice((page - 1) * page_size, page * page_size),
      meta: { pagination: { page, pageSize: page_size, pageCount, total } },
    })
  }
}

const withTimeOfDay = (time: string, timeOfDay: string) =>
  time.length === 10 ? `${time}${timeOfDay}` : time

/** Reads a report at a given time, and keeps the reply for a later comparison. */
async function readAt({ session }: ClockedProgram, path: string, now: string) {
  await system.clock.set(now)
  const { body } = await system.read(path, session)
  keptReplies.push({ now, path, session, text: JSON.stringify(body) })
  return body
}
