import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import postgres from "postgres"
import type { Database } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { catchingUp } from "../../../lib/feeds/catch-up"
import { appliedOf, lagging } from "../../../lib/feeds/cursors"
import { type FeedPosition, rowOf } from "../../../lib/feeds/feed"
import { readFeedRows } from "../../../lib/feeds/read-feed-rows"
import type { Feed, Source } from "../../../lib/feeds/source"
import { database_url } from "../../support/world"

const SCHEMA = `catch_up_${process.pid}_${Date.now().toString(36)}`
const CALLERS = 8
const ROUNDS = 40

const text = { parse: String, serialize: String }
const sql: Database = postgres(database_url, {
  max: CALLERS + 4,
  connection: { search_path: SCHEMA, synchronous_commit: "off" },
  onnotice: () => {},
  types: {
    bigint: { to: 20, from: [20], parse: Number, serialize: String },
    timestamptz: { to: 1184, from: [1184], ...text },
    date: { to: 1082, from: [1082], ...text },
  },
})

beforeAll(async () => {
  await sql.unsafe(`
    create schema ${SCHEMA};
    create table things (
      id bigint generated always as identity primary key,
      final_xact xid8 not null default pg_current_xact_id()
    );
    create index on things (final_xact, id);
    create table others (like things including all);
    create table copies (id bigint primary key);
    create table other_copies (like copies including all);
    create table cursors (
      feed text primary key,
      cursor jsonb,
      applied_until timestamptz
    );
    insert into cursors (feed)
    values ('things'), ('others');
  `)
})
afterAll(async () => {
  await sql`drop schema ${sql(SCHEMA)} cascade`
  await sql.end()
})

type Thing = { id: number }
const copying = (name: string, copies: string): Feed<Thing> => ({
  name,
  apply: (sql, rows) => sql`
    insert into ${sql(copies)} (id)
    select unnest(${rows.map(row => row.id)}::bigint[])
  `,
  forget: sql => sql`truncate ${sql(copies)}`,
})
const FEEDS = { things: copying("things", "copies"), others: copying("others", "other_copies") }

type Told = { columns: string[]; rows: unknown[][]; cursor: FeedPosition; is_drained: boolean }

let looks = 0
const source: Source = {
  feeds: Object.values(FEEDS),
  async read(cursors) {
    looks++
    const tables = {
      things: { columns: sql`id`, table: "things" },
      others: { columns: sql`id`, table: "others" },
    }
    const asked = { cursors, limit: 3, takes_lists: true }
    const told = await readFeedRows<Record<keyof typeof FEEDS, Told>>(sql, tables, asked)
    return Object.entries(FEEDS).map(([name, feed]) => {
      const { columns, rows, ...rest } = told[name as keyof typeof FEEDS]
      return { ...rest, feed, rows: rows.map(row => rowOf(columns, row)) }
    })
  },
}
const { catchUp } = catchingUp("a test", sql, [source])

/** One that has lost no race yet: it knows where it has left the cursors. */
const newReader = () => catchingUp("another test", sql, [source]).catchUp

/**
 * Asks until a reader would not be told of a lag: a run may take longer than those who asked for it
 * wait, on a slow machine.
 */
async function caughtUp(by = catchUp) {
  while (lagging(await by([source]), await sql.begin(sql => appliedOf(sql, [source])))) {
    await Bun.sleep(5)
  }
}

async function add(): Promise<number> {
  const [{ id }] = await sql<[Thing]>`insert into things default values returning id`
  return id
}

async function isCopied(id: number): Promise<boolean> {
  const found = await sql`select from copies where id = ${id}`
  return found.length === 1
}

/** A second copy of anything is refused by its key. */
async function counts() {
  const [counted] = await sql<[{ copies: number; missing: number }]>`
    select
      count(copies.id) as copies,
      count(*) - count(copies.id) as missing
    from things
    left join copies using (id)
  `
  return counted
}

describe("Catching up", () => {
  test("has what was there before it was asked for, whoever else asks at that time", async () => {
    const missing: number[] = []
    const caller = async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const id = await add()
        await caughtUp()
        if (!(await isCopied(id))) missing.push(id)
        await Bun.sleep(Math.random() * 8)
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, caller))

    expect(missing).toEqual([])
    expect(await counts()).toEqual({ copies: CALLERS * ROUNDS, missing: 0 })
  }, 60_000)

  test("is shared by those who ask at once", async () => {
    const before = looks
    await Promise.all(Array.from({ length: 50 }, () => catchUp([source])))
    expect(looks - before).toBe(1)
  })

  test.each([
    ["there is no news", async () => {}],
    ["the news is of another feed", async () => await sql`insert into others default values`],
  ])("notices that a crash took back what it had taken in, where %s", async (_where, happens) => {
    const alone = newReader()
    const [before] = await sql<[{ cursor: FeedPosition; applied_until: string }]>`
      select cursor, applied_until
      from cursors
      where feed = 'things'
    `
    const id = await add()
    await caughtUp(alone)
    expect(await isCopied(id)).toBe(true)

    await sql`delete from copies where id = ${id}`
    await sql`
      update cursors
      set
        cursor = ${sql.json(before.cursor)},
        applied_until = ${before.applied_until}
      where feed = 'things'
    `
    await happens()
    await caughtUp(alone)
    expect(await isCopied(id)).toBe(true)
  })

  test("misses nothing where two readers move the cursors by turns", async () => {
    const readers = [newReader(), newReader()]
    for (let round = 0; round < ROUNDS; round++) {
      const id = await add()
      await caughtUp(readers[round % 2])
      expect(await isCopied(id)).toBe(true)
    }
    expect(await counts()).toMatchObject({ missing: 0 })
  })

  test("begins anew where the cursors were taken away, as a rebuild does", async () => {
    const alone = newReader()
    await caughtUp(alone)
    await sql`truncate copies, other_copies`
    await sql`update cursors set cursor = null, applied_until = null`
    await caughtUp(alone) // all of it, three rows at a time
    expect(await counts()).toMatchObject({ missing: 0 })
  })

  test("says that it did not come about where the owner is away, and goes on once it is back", async () => {
    const { read } = source
    source.read = () => Promise.reject(new Fault("unavailable", "It is away."))
    const id = await add()
    const told = await Promise.all([catchUp([source]), catchUp([source])])
    source.read = read
    expect(told).toEqual([null, null])

    await caughtUp()
    expect(await isCopied(id)).toBe(true)
  })
})
