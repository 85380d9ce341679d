import { GROUPS, PARTNERS, type Terms } from "./cast"
import { insertRows, iso, reserveIds, type Sql } from "./rows"
import { DAY_MS } from "./visitors"

export type Policy = Terms & { id: number; since: number }
export type Group = { id: number; policies: Policy[] }
export type Partner = { id: number; links: Map<string, number> }
export type Scene = { program_id: number; now: number; xact: string }

const JOINED_HOUR = 8

/** Stores the groups, each with all versions of its policy. Returns them by name. */
export async function writeGroups(sql: Sql, { program_id, now }: Scene) {
  const groups = new Map<string, Group>()
  for (const [name, versions] of Object.entries<Terms[]>(GROUPS)) {
    const terms = versions.map(terms => ({ ...terms, since: timeOf(now, terms.days_ago) }))
    const created_at = iso(terms[0]!.since)
    const group =
      name === "Default"
        ? await findDefaultGroup(sql, program_id, created_at)
        : await createGroup(sql, { program_id, name, created_at }, terms)
    const policies = terms.map((each, i) => ({ ...each, id: group.policyIds[i]! }))
    groups.set(name, { id: group.id, policies })
  }
  return groups
}

/** Finds what the program was created with, and dates it back. */
async function findDefaultGroup(sql: Sql, program_id: number, created_at: string) {
  const [group] = await sql<[{ id: number; policy_id: number }]>`
    with dated as (
      update commissions.groups
      set created_at = ${created_at}
      where program_id = ${program_id}
        and is_default
      returning id
    )
    update commissions.policies
    set
      created_at = ${created_at},
      effective_from = ${created_at}
    from dated
    where group_id = dated.id
      and version = 1
    returning dated.id::int, policies.id::int as policy_id
  `
  return { id: group.id, policyIds: [group.policy_id] }
}

async function createGroup(
  sql: Sql,
  group: { program_id: number; name: string; created_at: string },
  terms: (Terms & { since: number })[],
) {
  const [group_id] = await reserveIds(sql, "commissions.groups", 1)
  const policyIds = await reserveIds(sql, "commissions.policies", terms.length)
  const policies = terms.map(({ days_ago, since, ...fields }, i) => {
    const dates = { effective_from: iso(since), created_at: iso(since) }
    return { id: policyIds[i], group_id, version: i + 1, kind: "percent", ...fields, ...dates }
  })
  await insertRows(sql, "commissions.groups", [{ id: group_id, ...group }])
  await insertRows(sql, "commissions.policies", policies)
  return { id: group_id!, policyIds }
}

/** Stores the partners with their links. Returns them by e-mail address. */
export async function writePartners(
  sql: Sql,
  { program_id, now, xact }: Scene,
  groups: Map<string, Group>,
): Promise<Map<string, Partner>> {
  const ids = await reserveIds(sql, "commissions.partners", PARTNERS.length)
  const partners = PARTNERS.map(({ suspended_days_ago, ...role }, i) => ({
    ...role,
    id: ids[i]!,
    group_id: groups.get(role.group)!.id,
    joined: iso(timeOf(now, role.joined_days_ago)),
    isSuspended: suspended_days_ago !== null,
  }))
  const keyOf = ({ id: partner_id }: { id: number }) => ({ program_id, partner_id })
  const stateOf = ({ isSuspended }: { isSuspended: boolean }) =>
    isSuspended ? { version: 3, status: "suspended" } : { version: 2, status: "approved" }

  await insertRows(
    sql,
    "commissions.partners",
    partners.map(({ id, joined: created_at }) => ({ id, created_at })),
  )
  const records = partners.map(partner => {
    const { email, name, group_id, joined: created_at } = partner
    const fields = { email, email_folded: email, name, group_id, created_at, final_xact: xact }
    return { ...keyOf(partner), ...stateOf(partner), ...fields }
  })
  const recordIds = await reserveIds(sql, "commissions.partner_programs", records.length)
  await insertRows(
    sql,
    "commissions.partner_programs",
    records.map((record, i) => ({ id: recordIds[i], ...record })),
  )
  await insertRows(
    sql,
    "commissions.partner_versions",
    partners.flatMap(partner => {
      const { version: last, status } = stateOf(partner)
      const versionOf = (version: number, status: string) => {
        return { ...keyOf(partner), version, group_id: partner.group_id, status }
      }
      const approved = versionOf(2, "approved")
      return last === 2 ? [approved] : [approved, versionOf(last, status)]
    }),
  )
  await insertRows(
    sql,
    "tracking.partner_programs",
    partners.map(partner => ({ ...keyOf(partner), ...stateOf(partner), clicks: 0 })),
  )

  const links = partners.flatMap(partner =>
    partner.codes.map(code => ({ ...keyOf(partner), code, created_at: partner.joined })),
  )
  const linkIds = await reserveIds(sql, "tracking.referral_links", links.length)
  const linkRows = links.map((link, i) => ({
    id: linkIds[i]!,
    ...link,
    clicks: 0,
    status: "active",
  }))
  await insertRows(sql, "tracking.referral_links", linkRows)
  return new Map(
    partners.map(({ id, email }) => {
      const own = linkRows.filter(link => link.partner_id === id)
      return [email, { id, links: new Map(own.map(({ code, id }) => [code, id])) }]
    }),
  )
}

const timeOf = (now: number, daysAgo: number) =>
  now - (now % DAY_MS) - daysAgo * DAY_MS + (JOINED_HOUR * DAY_MS) / 24
