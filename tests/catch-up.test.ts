import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import postgres from "postgres"
import { catchingUp } from "../lib/catch-up"
import type { Database } from "../lib/db"
import { Fault } from "../lib/fault"
import { type Cursor, rowOf } from "../lib/feed"
import type { Feed, Source } from "../lib/source"
import { tellFeeds } from "../lib/tell-feeds"
import { database_url } from "./world"

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
    create table copies (id bigint primary key);
    create table cursors (
      feed text primary key,
      cursor jsonb,
      applied_until timestamptz
    );
    insert into cursors (feed)
    values ('things');
  `)
})
afterAll(async () => {
  await sql`drop schema ${sql(SCHEMA)} cascade`
  await sql.end()
})

type Thing = { id: number }
const things: Feed<Thing> = {
  name: "things",
  apply: (sql, rows) => sql`
    insert into copies (id)
    select unnest(${rows.map(row => row.id)}::bigint[])
  `,
  forget: sql => sql`truncate copies`,
}

type Told = { columns: string[]; rows: unknown[][]; cursor: Cursor; is_drained: boolean }

let looks = 0
const source: Source = {
  feeds: [things],
  async read(cursors) {
    looks++
    const tables = { things: { columns: sql`id`, table: "things" } }
    const asked = { cursors, limit: 3, takes_lists: true }
    const { things: told } = await tellFeeds<{ things: Told }>(sql, tables, asked)
    const rows = told.rows.map(row => rowOf(told.columns, row))
    return [{ ...told, feed: things, rows }]
  },
}
const { catchUp } = catchingUp("a test", sql, [source])

/** A run may take longer than those who asked for it wait, on a slow machine. */
async function caughtUp() {
  while (!(await catchUp([source])));
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

  test("notices that a crash took back what it had taken in, though there is no news", async () => {
    const [kept] = await sql`select cursor from cursors`
    const id = await add()
    await caughtUp()
    expect(await isCopied(id)).toBe(true)

    await sql`delete from copies where id = ${id}`
    await sql`update cursors set cursor = ${sql.json(kept!.cursor)}`
    await caughtUp()
    expect(await isCopied(id)).toBe(true)
  })

  test("begins anew where the cursors were taken away, as a rebuild does", async () => {
    await sql`truncate copies`
    await sql`update cursors set cursor = null`
    await caughtUp() // all of it, three rows at a time
    expect(await counts()).toMatchObject({ missing: 0 })
  })

  test("says that it did not come about where the owner is away, and goes on once it is back", async () => {
    const { read } = source
    source.read = () => Promise.reject(new Fault("unavailable", "It is away."))
    const id = await add()
    const told = await Promise.all([catchUp([source]), catchUp([source])])
    source.read = read
    expect(told).toEqual([false, false])

    await caughtUp()
    expect(await isCopied(id)).toBe(true)
  })
})
