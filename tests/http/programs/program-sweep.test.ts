import { describe, expect, test } from "bun:test"
import { hashOf, mintToken } from "../../../lib/token"
import { lockTable } from "../../support/locks"
import { newClick, newOwner, newProgram, type TestProgram } from "../../support/program"
import { send, sql } from "../../support/world"

const PROGRAMS = "/api/advertiser/affiliate-programs"
let count = 0
const unique = (what: string) => `${what}-${process.pid}-${Date.now()}-${++count}`
const show = async (program: TestProgram) =>
  (await send("GET", program.path, { token: program.session })).body.data

/** Stores a change as a crash leaves it: open, and not sent to the services yet. */
async function leaveChangeOpen(program: TestProgram, settings: object, age = "1 minute") {
  const { name, slug, website_url, status, currency, ...rest } = await show(program)
  const { attribution_model, cookie_window_days, lead_auth } = rest
  const before = { name, slug, website_url, status, currency, commission: null }
  const after = { ...before, attribution_model, cookie_window_days, lead_auth, ...settings }
  await sql`
    insert into identity.program_changes (program_id, version, settings, try_after)
    select id, version + 1, ${sql.json(after)}, now() + interval '5 seconds' - ${age}::interval
    from identity.programs
    where id = ${program.program_id}
  `
  await sql`
    insert into identity.program_slugs (slug, program_id)
    values (${after.slug}, ${program.program_id})
    on conflict do nothing
  `
}

/** Waits until the sweeper has closed the program's open changes. */
async function waitForSweeper(program_id: number) {
  const left = () => sql`
    select 1
    from identity.program_changes
    where program_id = ${program_id} and state = 'open'
  `
  while ((await left()).length > 0) await Bun.sleep(50)
}

describe("a program change that a crash left open", () => {
  test("is completed, also if an older version left it, which knows not all settings", async () => {
    const program = await newProgram({ share_sale_amount: true })
    await leaveChangeOpen(program, { name: "Swept", cookie_window_days: 4, slug: unique("swept") })
    expect((await show(program)).name).not.toBe("Swept")
    await waitForSweeper(program.program_id)

    const changed = { name: "Swept", cookie_window_days: 4, share_sale_amount: true }
    expect(await show(program)).toMatchObject(changed)
    const click = await send("POST", "/api/v1/track/click", {
      body: { affiliate_url: `https://shop.example/?aff=${program.code}` },
    })
    expect(click.body.cookie_window_days).toBe(4)
  })

  test("is completed before the next change, which keeps its settings", async () => {
    const program = await newProgram()
    // One second is too recent for the sweeper.
    await leaveChangeOpen(program, { cookie_window_days: 5 }, "1 second")
    const { status, body } = await send("PUT", program.path, {
      token: program.session,
      body: { name: "Next" },
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ name: "Next", cookie_window_days: 5 })
  })

  test("is closed where it is refused, and blocks no later change", async () => {
    const program = await newProgram()
    const body = { transaction_id: unique("t"), amount_cents: 100 }
    const click_id = await newClick(program)
    await send("POST", "/api/v1/track/sale", {
      token: program.api_token,
      body: { ...body, click_id },
    })
    const before = await show(program)
    const slug = unique("refused")
    await leaveChangeOpen(program, { currency: "EUR", slug })
    await waitForSweeper(program.program_id)
    expect(await show(program)).toEqual(before)

    const put = (body: object) => send("PUT", program.path, { token: program.session, body })
    expect((await put({ cookie_window_days: 6 })).body.data.cookie_window_days).toBe(6)
    const taken = await send("POST", PROGRAMS, {
      token: program.session,
      body: { name: "Other", slug },
    })
    expect(taken.status).toBe(201)
  })
})

describe("a program whose creation a crash left open", () => {
  test("does not exist, and its slug is free", async () => {
    const { session: token, workspace_id } = await newOwner()
    const slug = unique("half")
    const api_token = mintToken("aff_")
    const [{ id }] = await sql<[{ id: number }]>`
      insert into identity.programs (workspace_id, token_hash, api_token_masked)
      values (${workspace_id}, ${hashOf(api_token)}, 'aff_masked')
      returning id
    `
    await sql`
      insert into identity.program_slugs (slug, program_id)
      values (${slug}, ${id})
    `
    const get = (path: string) => send("GET", path, { token })
    expect((await get(`${PROGRAMS}/${id}`)).status).toBe(404)
    expect((await get(PROGRAMS)).body.meta.pagination.total).toBe(0)
    const body = { transaction_id: "t" }
    const refund = await send("POST", "/api/v1/track/refund", { token: api_token, body })
    expect(refund.status).toBe(401)

    await sql`
      insert into identity.program_changes (program_id, version, settings, try_after)
      values (${id}, 1, '{}', now() - interval '1 second')
    `
    const create = () => send("POST", PROGRAMS, { token, body: { name: "Whole", slug } })
    await waitForSweeper(id)
    expect((await create()).status).toBe(201)
  })

  test("is created if that was already decided, and is then shown", async () => {
    const program = await newProgram()
    const before = await show(program)
    await sql`
      with open as (
        update identity.program_changes
        set state = 'open', try_after = now() + interval '1 second'
        where (program_id, version) = (${program.program_id}, 2)
      )
      update identity.programs
      set version = 0
      where id = ${program.program_id}
    `
    expect((await send("GET", program.path, { token: program.session })).status).toBe(404)
    await waitForSweeper(program.program_id)
    const { updated_at, ...after } = await show(program)
    expect(before).toMatchObject(after)
  })
})

describe("a program whose creation is in progress", () => {
  const waitForTracking = async (slug: string) => {
    for (let tries = 0; tries < 100; tries++) {
      const [program] = await sql<[{ program_id: number }?]>`
        select program_id
        from identity.program_slugs
        join tracking.programs using (program_id)
        where slug = ${slug}
      `
      if (program) return program.program_id
      await Bun.sleep(20)
    }
    throw new Error("Tracking did not receive the program.")
  }
  const testClick = (program_id: number) =>
    send("POST", "/api/v1/track/click", {
      body: { additional_data: { test_mode: true, program_id } },
    })
  const statusOf = async ({ session: token }: { session: string }, slug: string) =>
    (await send("POST", PROGRAMS, { token, body: { name: "Half", slug } })).status

  test("is hidden until it is created, and its slug is not reported as taken before", async () => {
    const [owner, slug] = [await newOwner(), unique("in-progress")]
    const unlock = await lockTable("commissions.programs", "exclusive")
    const created = statusOf(owner, slug)
    const program_id = await waitForTracking(slug)
    const [test, other] = [await testClick(program_id), await statusOf(owner, slug)]
    await unlock()

    expect([test.status, other]).toEqual([400, 503])
    expect(await created).toBe(201)
    expect((await testClick(program_id)).status).toBe(200)
    expect(await statusOf(owner, slug)).toBe(409)
  })

  test("is gone when it fails: it cannot be used, and its slug is free", async () => {
    const [owner, slug] = [await newOwner(), unique("failed")]
    await sql`alter table commissions.programs add constraint none_more check (false) not valid`
    const status = await statusOf(owner, slug)
    await sql`alter table commissions.programs drop constraint none_more`
    const [{ id }] = await sql<[{ id: number }]>`
      select last_value::int as id
      from identity.programs_id_seq
    `
    const stored = await sql`
      select 1
      from tracking.programs
      where program_id = ${id}
    `
    expect([status, stored.length, (await testClick(id)).status]).toEqual([503, 1, 400])
    expect(await statusOf(owner, slug)).toBe(201)
  })
})
