import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import postgres from "postgres"
import { type FeedPosition, rowOf } from "../../../lib/feeds/feed"
import { readFeedRows } from "../../../lib/feeds/read-feed-rows"
import { database_url } from "../../support/world"

const SCHEMA = `feed_${process.pid}_${Date.now().toString(36)}`
const WRITERS = 6
const ROUNDS = 60

const sql = postgres(database_url, {
  max: WRITERS + 3,
  connection: { search_path: SCHEMA },
  onnotice: () => {},
  types: {
    bigint: { to: 20, from: [20], parse: Number, serialize: String },
    timestamptz: { to: 1184, from: [1184], parse: String, serialize: String },
    date: { to: 1082, from: [1082], parse: String, serialize: String },
  },
})

beforeAll(async () => {
  await sql.unsafe(`
    create schema ${SCHEMA};
    create table items (
      id bigint generated always as identity primary key,
      name text not null,
      final_xact xid8
    );
    create index on items (final_xact, id) where final_xact is not null;
    create table others (like items including all);
    create table lineage (epoch uuid);
    insert into lineage values (null);
  `)
})
afterAll(async () => {
  await sql`drop schema ${sql(SCHEMA)} cascade`
  await sql.end()
})

type Writer = postgres.ISql<{ bigint: number; timestamptz: string; date: string }>

const tables = { items: { columns: sql`id, name`, table: "items" } }
type FeedReply = { items: { rows: { id: number }[]; cursor: FeedPosition; is_drained: boolean } }
type ListReply = {
  items: { columns: string[]; rows: unknown[][] } & Omit<FeedReply["items"], "rows">
}

async function readMessage(
  cursor: FeedPosition | null,
  limit: number,
): Promise<FeedReply["items"]> {
  const request = { cursors: { items: cursor }, limit, takes_lists: true }
  const { columns, rows, ...more } = (await readFeedRows<ListReply>(sql, tables, request)).items
  return { ...more, rows: rows.map(row => rowOf(columns, row) as { id: number }) }
}

/** Reads one message. Its cursor passes through JSON, as a stored cursor does. */
async function read(cursor: FeedPosition | null, limit = 5) {
  const { rows, ...more } = await readMessage(cursor, limit)
  return { rows: rows.map(row => row.id), ...JSON.parse(JSON.stringify(more)) }
}

async function drain(
  cursor: FeedPosition | null,
  limit = 5,
): Promise<{ rows: number[]; cursor: FeedPosition }> {
  const { rows, cursor: next, is_drained } = await read(cursor, limit)
  if (is_drained) return { rows, cursor: next }
  const rest = await drain(next, limit)
  return { rows: [...rows, ...rest.rows], cursor: rest.cursor }
}

/** Adds a row that is final with its transaction. Returns its id. */
async function add(sql: Writer, name: string): Promise<number> {
  const [row] = await sql<[{ id: number }]>`
    insert into items (name, final_xact)
    values (${name}, pg_current_xact_id())
    returning id
  `
  return row.id
}

/** Adds a row that is not final yet. */
async function addPending(): Promise<number> {
  const [row] = await sql<[{ id: number }]>`
    insert into items (name)
    values ('pending')
    returning id
  `
  return row.id
}

const finish = (id: number) => sql`
  update items
  set final_xact = pg_current_xact_id()
  where id = ${id}
`

describe("A feed", () => {
  test("returns each row once, whatever its writers do meanwhile", async () => {
    const start = await drain(null)
    const seen: number[] = []
    let isWriting = true

    const reader = (async () => {
      let cursor = start.cursor
      while (isWriting) {
        const { rows, cursor: next } = await read(cursor, chance(7) + 1)
        seen.push(...rows)
        cursor = next
      }
      seen.push(...(await drain(cursor)).rows, ...(await drain((await drain(cursor)).cursor)).rows)
    })()
    await Promise.all([slowWriter(), ...Array.from({ length: WRITERS }, writer)])
    isWriting = false
    await reader

    const final = await sql<{ id: number }[]>`
      select id
      from items
      where final_xact is not null
      order by id
    `
    const expected = final.map(({ id }) => id).filter(id => !start.rows.includes(id))
    expect(seen.toSorted((a, b) => a - b)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(WRITERS * ROUNDS)
  }, 60_000)

  test("does not wait for a transaction that stays open", async () => {
    const { cursor } = await drain(null)
    const opened = Promise.withResolvers<number>()
    const end = Promise.withResolvers<void>()
    const long = sql.begin(async transaction => {
      opened.resolve(await add(transaction, "early"))
      await end.promise
    })
    const early = await opened.promise

    const late = await add(sql, "late")
    const meanwhile = await drain(cursor)
    expect(meanwhile.rows).toEqual([late])

    end.resolve()
    await long
    const after = await drain(meanwhile.cursor)
    expect(after.rows).toEqual([early])
    expect((await drain(after.cursor)).rows).toEqual([])
  })

  test("keeps its target while it is paged, and continues from there", async () => {
    const { cursor } = await drain(null)
    const first = await sql.begin(async transaction => {
      const ids = []
      for (let i = 0; i < 7; i++) ids.push(await add(transaction, "first"))
      return ids
    })
    const page = await read(cursor, 3)
    expect(page).toMatchObject({ rows: first.slice(0, 3), is_drained: false })

    const second = await add(sql, "second")
    const rest = await drain(page.cursor, 3)
    expect(rest.rows).toEqual(first.slice(3))
    expect(rest.cursor.as_of).toBe(page.cursor.as_of)
    expect((await drain(rest.cursor)).rows).toEqual([second])
  })

  test("returns a row when it becomes final, however old it is", async () => {
    const id = await addPending()
    const { cursor, rows } = await drain(null)
    expect(rows).not.toContain(id)

    await finish(id)
    expect((await drain(cursor)).rows).toEqual([id])
  })

  test("starts over for a cursor of another server", async () => {
    const whole = await drain(null)
    const foreign = { ...whole.cursor, origin: "1/1" }
    expect((await drain(foreign)).rows).toEqual(whole.rows)
  })

  test("is read where only it has new rows, and in full where its cursor is unusable", async () => {
    const both = { ...tables, others: { columns: sql`id, name`, table: "others" } }
    const readBoth = async (items: FeedPosition | null, others: FeedPosition | null) => {
      const reply = await readFeedRows<FeedReply & { others: FeedReply["items"] }>(sql, both, {
        cursors: { items, others },
        limit: 1_000,
      })
      const ids = ({ rows, is_drained }: FeedReply["items"]) => [
        rows.map(row => row.id),
        is_drained,
      ]
      return { ...reply, ids: [ids(reply.items), ids(reply.others)] }
    }
    await add(sql, "in the one")
    const [other] = await sql<[{ id: number }]>`
      insert into others (name, final_xact)
      values ('in the other', pg_current_xact_id())
      returning id
    `
    const start = await readBoth(null, null)
    expect(start.ids[1]).toEqual([[other.id], true])

    const id = await add(sql, "news")
    const next = await readBoth(start.items.cursor, start.others.cursor)
    expect(next.ids).toEqual([
      [[id], true],
      [[], true],
    ])
    expect(next.others.cursor).toMatchObject({ done: start.others.cursor.done, target: null })
    expect(next.others.cursor.as_of).toBe(next.items.cursor.as_of)

    const foreign = { ...next.others.cursor, origin: "1/1", done: "900000000:900000000:" }
    expect((await readBoth(next.items.cursor, foreign)).ids).toEqual([
      [[], true],
      [[other.id], true],
    ])
  })

  test("sends lists to readers that take them, and objects to older readers", async () => {
    await add(sql, "sent in both forms")
    const request = { cursors: { items: null }, limit: 5 }
    const lists = (await readFeedRows<ListReply>(sql, tables, { ...request, takes_lists: true }))
      .items
    const { rows, ...objects } = (await readFeedRows<FeedReply>(sql, tables, request)).items

    expect(rows.length).toBeGreaterThan(0)
    expect(lists).toMatchObject({ columns: ["id", "name"], is_drained: objects.is_drained })
    expect(lists.cursor).toMatchObject({ at_xact: objects.cursor.at_xact, at_id: rows.at(-1)?.id })
    expect(lists.rows).toEqual(rows.map(row => Object.values(row)))
    expect(objects).not.toHaveProperty("columns")
  })

  test("returns nothing for a request without cursors", async () => {
    const request = { cursors: {}, limit: 5 }
    expect(await readFeedRows<Partial<FeedReply>>(sql, tables as never, request)).toEqual({})
  })

  test("returns no more than a message holds, and loses nothing", async () => {
    const { cursor } = await drain(null)
    const long = "\u{1F600}".repeat(50_000)
    const ids = []
    for (let i = 0; i < 8; i++) ids.push(await add(sql, long))

    const { rows, is_drained } = await readMessage(cursor, 100)
    expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(1_000_000)
    expect(is_drained).toBe(false)
    expect((await drain(cursor, 100)).rows).toEqual(ids)
  })

  test("finds its rows by the index", async () => {
    const plan = await sql.begin(async transaction => {
      await transaction`set local enable_seqscan = off`
      return transaction`
        explain
        select id
        from items
        where pg_visible_in_snapshot(final_xact, pg_current_snapshot())
          and (final_xact, id) > ('5'::xid8, 0)
        order by final_xact, id
        limit 10
      `
    })
    expect(JSON.stringify(plan)).toContain("Index Cond: (ROW(final_xact, id)")
  })
})

/** Short transactions: some roll back, in whole or to a savepoint, some finish what was pending. */
async function writer() {
  for (let round = 0; round < ROUNDS; round++) {
    await sql
      .begin(async transaction => {
        await add(transaction, "plain")
        if (chance(3) === 0) await transaction.savepoint(saved => add(saved, "saved"))
        if (chance(3) === 0) {
          await transaction.savepoint(lost => add(lost, "lost").then(abandon)).catch(expected)
        }
        if (chance(4) === 0) await Bun.sleep(chance(20))
        if (chance(5) === 0) abandon()
      })
      .catch(expected)

    if (chance(3) === 0) await finish(await addPending())
  }
}

/** A row at each end of a transaction that outlives many others. */
async function slowWriter() {
  for (let round = 0; round < 4; round++) {
    await sql.begin(async transaction => {
      await add(transaction, "slow")
      await Bun.sleep(150)
      await add(transaction, "slow")
    })
  }
}

const chance = (of: number) => Math.floor(Math.random() * of)

class Abandoned extends Error {}
const abandon = () => {
  throw new Abandoned()
}
const expected = (error: unknown) => {
  if (!(error instanceof Abandoned)) throw error
}
