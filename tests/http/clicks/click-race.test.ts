import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { click, countClicks } from "../../support/clicks"
import { newClick, newPartner, newProgram } from "../../support/program"
import { send, sql } from "../../support/world"

describe("concurrent clicks", () => {
  test("are all counted, on the link and on the partner", async () => {
    const one = await newProgram()
    const replies = await Promise.all(Array.from({ length: 200 }, () => click(one.code)))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    expect(await countClicks(one.program_id)).toEqual({ events: 200, links: 200, partners: 200 })
    expect(await hasNewestClickTime(one.link_id)).toBe(true)
  })

  test("on links of several partners and programs are counted apart", async () => {
    const [one, two] = [await newProgram(), await newProgram()]
    const codes = [one.code, two.code, (await newPartner(two)).code]
    await Promise.all(Array.from({ length: 210 }, (_, i) => newClick({ code: codes[i % 3]! })))
    expect(await countClicks(one.program_id)).toEqual({ events: 70, links: 70, partners: 70 })
    expect(await countClicks(two.program_id)).toEqual({ events: 140, links: 140, partners: 140 })
  })

  test("are shown at once while the partner is locked, and counted afterwards", async () => {
    const one = await newProgram()
    const { path, session: token, link_id, partner_id } = one
    const counted = { clicks: 20, last_clicked: expect.any(String) }
    await sql.begin(async sql => {
      await sql`
        select from tracking.partner_programs
        where (program_id, partner_id) = (${one.program_id}, ${partner_id})
        for update
      `
      await Promise.all(Array.from({ length: 20 }, () => click(one.code)))
      const list = await send("GET", `${path}/referral-links`, { token })
      expect(list.body.data).toMatchObject([counted])
      const partner = await send("GET", `${path}/partners/${partner_id}`, { token })
      expect(partner.body.data).toMatchObject({ clicks: 20, links: [counted] })
      const body = { destination_url: "https://shop.example/sale" }
      const link = await send("PUT", `${path}/referral-links/${link_id}`, { token, body })
      expect(link.body.data).toMatchObject(counted)
      expect(await storedCountsOf(one.program_id)).toEqual({ links: 0, partners: 0 })
    })
    while ((await storedCountsOf(one.program_id)).links < 20) await Bun.sleep(100)
    expect(await storedCountsOf(one.program_id)).toEqual({ links: 20, partners: 20 })
    expect(await countClicks(one.program_id)).toEqual({ events: 20, links: 20, partners: 20 })
    expect(await hasNewestClickTime(link_id)).toBe(true)
  })

  describe("when the database refuses a click", () => {
    beforeAll(async () => {
      await sql.unsafe(`
        create function public.refuse_poison() returns trigger language plpgsql as $$
        begin
          if new.page_title like 'poison%' then
            raise exception 'poison';
          end if;
          return new;
        end $$;
        create trigger refuse_poison before insert on tracking.affiliate_click_events
          for each row execute function public.refuse_poison();
      `)
    })
    afterAll(async () => {
      await sql.unsafe("drop function public.refuse_poison cascade")
    })

    test("only that click fails, and nothing of it is stored", async () => {
      const one = await newProgram()
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          click(one.code, { page_title: i % 20 === 7 ? `poison ${i}` : "good" }),
        ),
      )
      const statuses = replies.map(({ status }) => status)
      expect(statuses).toEqual(Array.from({ length: 60 }, (_, i) => (i % 20 === 7 ? 500 : 200)))
      expect(replies[7]!.body).toEqual({ error: expect.any(String) })
      expect(JSON.stringify(replies[7]!.body)).not.toContain("poison")
      expect(await countClicks(one.program_id)).toEqual({ events: 57, links: 57, partners: 57 })
      const [{ customers }] = await sql<[{ customers: number }]>`
        select count(*) as customers
        from tracking.customers
        where program_id = ${one.program_id}
      `
      expect(customers).toBe(57)
    })
  })
})

/** Returns the stored counters, without the clicks that are still to be added. */
async function storedCountsOf(program_id: number) {
  const [stored] = await sql<[{ links: number; partners: number }]>`
    select
      (select sum(clicks)::bigint from tracking.referral_links
        where program_id = ${program_id}) as links,
      (select sum(clicks)::bigint from tracking.partner_programs
        where program_id = ${program_id}) as partners
  `
  return stored
}

/** Returns whether last_clicked is the time of the link's newest click. */
async function hasNewestClickTime(link_id: number): Promise<boolean> {
  const [link] = await sql<[{ is_newest: boolean }]>`
    select last_clicked = (
      select max(click_timestamp)
      from tracking.affiliate_click_events
      where link_id = link.id
    ) as is_newest
    from tracking.counted_links as link
    where id = ${link_id}
  `
  return link.is_newest
}
