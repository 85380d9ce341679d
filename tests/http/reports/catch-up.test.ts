import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import postgres from "postgres"
import type { Database } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { followFeeds } from "../../../lib/feeds/catch-up"
import { appliedUntilOf, readApplied } from "../../../lib/feeds/cursors"
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
    create table items (
      id bigint generated always as identity primary key,
      final_xact xid8 not null default pg_current_xact_id()
    );
    create index on items (final_xact, id);
    create table others (like items including all);
    create table copies (id bigint primary key);
    create table other_copies (like copies including all);
    create table lineage (epoch uuid);
    insert into lineage values (null);
    create table set_aside (
      id bigint generated always as identity primary key,
      feed text not null,
      row text not null,
      reason text not null,
      tries int not null default 1,
      tried_at timestamptz not null default now()
    );
    create table cursors (
      feed text primary key,
      cursor jsonb,
      applied_until timestamptz
    );
    insert into cursors (feed)
    values ('items'), ('others');
  `)
})
afterAll(async () => {
  await sql`drop schema ${sql(SCHEMA)} cascade`
  await sql.end()
})

type Item = { id: number }
const copying = (name: string, copies: string): Feed<Item> => ({
  name,
  apply: (sql, rows) => sql`
    insert into ${sql(copies)} (id)
    select unnest(${rows.map(row => row.id)}::bigint[])
  `,
  forget: sql => sql`truncate ${sql(copies)}`,
})
const FEEDS = { items: copying("items", "copies"), others: copying("others", "other_copies") }

type FeedReply = { columns: string[]; rows: unknown[][]; cursor: FeedPosition; is_drained: boolean }

let reads = 0
const source: Source = {
  feeds: Object.values(FEEDS),
  async read(cursors) {
    reads++
    const tables = {
      items: { columns: sql`id`, table: "items" },
      others: { columns: sql`id`, table: "others" },
    }
    const request = { cursors, limit: 3, takes_lists: true }
    const reply = await readFeedRows<Record<keyof typeof FEEDS, FeedReply>>(sql, tables, request)
    return Object.entries(FEEDS).map(([name, feed]) => {
      const { columns, rows, ...rest } = reply[name as keyof typeof FEEDS]
      return { ...rest, feed, rows: rows.map(row => rowOf(columns, row)) }
    })
  },
}
const { catchUp } = followFeeds("a test", sql, [source])

/** A reader that remembers where it left the cursors. */
const newReader = () => followFeeds("another test", sql, [source]).catchUp

/** Catches up until there is no lag: on a slow machine, a run may outlast its callers' wait. */
async function waitUntilCaughtUp(by = catchUp) {
  while (appliedUntilOf(await by([source]), await sql.begin(sql => readApplied(sql, [source])))) {
    await Bun.sleep(5)
  }
}

async function add(): Promise<number> {
  const [{ id }] = await sql<[Item]>`insert into items default values returning id`
  return id
}

async function isCopied(id: number): Promise<boolean> {
  const found = await sql`select from copies where id = ${id}`
  return found.length === 1
}

/** Counts copied and missing items. The primary key refuses a second copy. */
async function counts() {
  const [counted] = await sql<[{ copies: number; missing: number }]>`
    select
      count(copies.id) as copies,
      count(*) - count(copies.id) as missing
    from items
    left join copies using (id)
  `
  return counted
}

describe("Catching up", () => {
  test("includes everything from before the call, under concurrent calls", async () => {
    const missing: number[] = []
    const caller = async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const id = await add()
        await waitUntilCaughtUp()
        if (!(await isCopied(id))) missing.push(id)
        await Bun.sleep(Math.random() * 8)
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, caller))

    expect(missing).toEqual([])
    expect(await counts()).toEqual({ copies: CALLERS * ROUNDS, missing: 0 })
  }, 60_000)

  test("is shared by concurrent callers", async () => {
    const before = reads
    await Promise.all(Array.from({ length: 50 }, () => catchUp([source])))
    expect(reads - before).toBe(1)
  })

  test.each([
    ["there are no new rows", async () => {}],
    ["only another feed has new rows", async () => await sql`insert into others default values`],
  ])("notices that a crash lost applied rows, where %s", async (_where, addRows) => {
    const reader = newReader()
    const [before] = await sql<[{ cursor: FeedPosition; applied_until: string }]>`
      select cursor, applied_until
      from cursors
      where feed = 'items'
    `
    const id = await add()
    await waitUntilCaughtUp(reader)
    expect(await isCopied(id)).toBe(true)

    await sql`delete from copies where id = ${id}`
    await sql`
      update cursors
      set
        cursor = ${sql.json(before.cursor)},
        applied_until = ${before.applied_until}
      where feed = 'items'
    `
    await addRows()
    await waitUntilCaughtUp(reader)
    expect(await isCopied(id)).toBe(true)
  })

  test("misses nothing where two readers move the cursors in turns", async () => {
    const readers = [newReader(), newReader()]
    for (let round = 0; round < ROUNDS; round++) {
      const id = await add()
      await waitUntilCaughtUp(readers[round % 2])
      expect(await isCopied(id)).toBe(true)
    }
    expect(await counts()).toMatchObject({ missing: 0 })
  })

  test("starts over where the cursors were cleared, as in a rebuild", async () => {
    const reader = newReader()
    await waitUntilCaughtUp(reader)
    await sql`truncate copies, other_copies`
    await sql`update cursors set cursor = null, applied_until = null`
    await waitUntilCaughtUp(reader) // all of it, three rows at a time
    expect(await counts()).toMatchObject({ missing: 0 })
  })

  test("returns null while the owner is down, and continues once it is back", async () => {
    const { read } = source
    source.read = () => Promise.reject(new Fault("unavailable", "The owner is down."))
    const id = await add()
    const results = await Promise.all([catchUp([source]), catchUp([source])])
    source.read = read
    expect(results).toEqual([null, null])

    await waitUntilCaughtUp()
    expect(await isCopied(id)).toBe(true)
  })
})
