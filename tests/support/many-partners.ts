import type { TestProgram } from "./program"
import { sql } from "./world"

/**
 * Adds approved partners of the Default group, each with a link, as createPartner leaves them. Names
 * and codes get a number each. Returns the ids.
 */
export async function newManyPartners(
  { program_id }: Pick<TestProgram, "program_id">,
  count: number,
  { name, code }: { name: string; code: string },
): Promise<number[]> {
  const partners = await sql<{ id: number }[]>`
    insert into commissions.partners
    select from generate_series(1, ${count})
    returning id
  `
  const ids = partners.map(({ id }) => id)
  await sql`
    with joined as (
      insert into commissions.partner_programs (
        program_id, partner_id, email, email_folded, name, group_id, version, final_xact
      )
      select
        ${program_id}, partner.id, address, address, ${name} || ' ' || n, groups.id, 2,
        pg_current_xact_id()
      from unnest(${ids}::bigint[]) with ordinality as partner (id, n)
      cross join lateral (select ${code} || '-' || n || '@example.com') as mail (address)
      join commissions.groups on program_id = ${program_id} and is_default
      returning partner_id, group_id
    )
    insert into commissions.partner_versions (program_id, partner_id, version, group_id, status)
    select ${program_id}, partner_id, number, group_id, 'approved'
    from joined
    cross join generate_series(1, 2) as number
  `
  await sql`
    insert into tracking.partner_programs (program_id, partner_id, version, status)
    select ${program_id}, id, 2, 'approved'
    from unnest(${ids}::bigint[]) as id
  `
  await sql`
    insert into tracking.referral_links (code, program_id, partner_id)
    select ${code} || '-' || n, ${program_id}, id
    from unnest(${ids}::bigint[]) with ordinality as partner (id, n)
  `
  return ids
}
