import type { Tributary } from "./tributary"

const PARTNERS = 1_000
const DAYS = 400
const DAY_MS = 24 * 60 * 60 * 1_000

export type Program = Awaited<ReturnType<typeof createProgram>>

/** Creates a program as old as the events to be loaded, with 1,000 partners, one link each. */
export async function createProgram({ send, sql }: Tributary) {
  const owner = { email: "owner@example.com", password: "correct horse battery", name: "Owner" }
  const session: string = (await send("POST", "/api/auth/sign-up", undefined, owner)).data.token
  const path = "/api/advertiser/affiliate-programs"
  const { id }: { id: number } = (await send("POST", path, session, { name: "Bench" })).data
  const to = new Date(Date.now() - DAY_MS / 2)
  const from = new Date(to.getTime() - DAYS * DAY_MS)

  await sql`update identity.programs set created_at = ${from} where id = ${id}`
  const [{ first_partner_id }] = await sql<[{ first_partner_id: number }]>`
    with partner as (
      insert into commissions.partners (created_at)
      select ${from}::timestamptz + n * interval '1 day' * ${DAYS / PARTNERS}::float
      from generate_series(1, ${PARTNERS}) as n
      returning id, created_at
    ),
    partner_program as (
      insert into commissions.partner_programs (
        program_id, partner_id, email, name, group_id, version, created_at, final_xact
      )
      select
        ${id}, partner.id, 'p' || partner.id || '@example.com', 'Partner', groups.id, 1,
        partner.created_at, pg_current_xact_id()
      from partner, commissions.groups
      where groups.program_id = ${id}
    ),
    tracking_partner as (
      insert into tracking.partner_programs (program_id, partner_id, version, status)
      select ${id}, partner.id, 1, 'approved'
      from partner
    )
    select min(id) as first_partner_id
    from partner
  `
  const [{ first_link_id }] = await sql<[{ first_link_id: number }]>`
    with link as (
      insert into tracking.referral_links (code, program_id, partner_id)
      select 'bench-' || n - 1, ${id}, ${first_partner_id}::bigint + n - 1
      from generate_series(1, ${PARTNERS}) as n
      order by n
      returning id
    )
    select min(id) as first_link_id
    from link
  `
  return {
    id,
    session,
    currency: "USD",
    from,
    to,
    partners: PARTNERS,
    first_partner_id,
    first_link_id,
  }
}
