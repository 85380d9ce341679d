import type { RequestOf } from "../../../lib/bus/operation"
import { rowsThatFit } from "../../../lib/bus/rows-that-fit"
import type { Fragment } from "../../../lib/db/database"
import { foldedEmail } from "../../../lib/fields"
import type * as contract from "../contract"
import type { Partner, PartnerFilter, PartnerSums } from "../contract"
import { sql } from "../db"
import { isCreated, partnerColumns, partnersWithBalance } from "./partners"
import { findPartnersByCode, partnersByClicks } from "./tracked-partners"

type Request = RequestOf<typeof contract.listPartners>
type Slice = Request["slice"]

/** First finds who is on the page, then reads these. It calls tracking only if codes or clicks decide. */
export async function listPartners({ program_id, filter = {}, slice }: Request) {
  const { search, status, sort } = filter
  const named = search === undefined ? null : await findPartners(program_id, search)
  const found = matches(program_id, filter, named)
  const listed = status === undefined ? found : sql`${found} and status = ${status}`

  const [partner_ids, statuses, balances] = await Promise.all([
    sort === "clicks" || sort === "-clicks"
      ? findByClicks(program_id, listed, sort === "clicks" ? "asc" : "desc", slice)
      : findPage(listed, sort, slice),
    countStatuses(found),
    sumBalances(
      program_id,
      listed,
      Object.keys(filter).some(name => name !== "sort"),
    ),
  ])
  const rows = rowsThatFit(await readPartners(program_id, partner_ids))
  const { approved, suspended, removed } = statuses
  const total = status ? statuses[status] : approved + suspended + removed
  return { rows, total, sums: { statuses, balances } }
}

/** The ids of the partners whose name, e-mail address or code contains a text: one look at each. */
async function findPartners(program_id: number, search: string): Promise<number[]> {
  const by_code = await findPartnersByCode(program_id, search)
  const found = await sql<{ partner_id: number }[]>`
    select partner_id
    from partner_programs
    where program_id = ${program_id}
      and (
        strpos(lower(name), lower(${search})) > 0
        or strpos(coalesce(email_folded, lower(email)), ${foldedEmail(search)}) > 0
      )
  `
  return [...new Set([...by_code, ...found.map(({ partner_id }) => partner_id)])]
}

/**
 * The condition of a filter except its status. `named`: the partners that its search found, null: no
 * search. `is true` keeps their subselect one that is hashed: as an array or a join it would be
 * searched for every row if statistics take a large program for a small one.
 */
const matches = (program_id: number, { group_id }: PartnerFilter, named: number[] | null) => sql`
  partner.program_id = ${program_id}
    and ${isCreated}
    ${group_id === undefined ? sql`` : sql`and group_id = ${group_id}`}
    ${named === null ? sql`` : sql`and (partner.partner_id in (select unnest(${named}::bigint[]))) is true`}
`

async function findPage(listed: Fragment, sort: PartnerFilter["sort"], slice: Slice) {
  const direction = sort?.startsWith("-") ? sql`desc` : sql`asc`
  const key = {
    name: sql`lower(name)`,
    balance_cents: sql`coalesce(own.balance_cents, 0)`,
    created_at: sql`partner.created_at`,
    none: null,
  }[(sort?.replace("-", "") ?? "none") as "name" | "balance_cents" | "created_at" | "none"]

  const page = await sql<{ partner_id: number }[]>`
    select partner.partner_id
    from ${sort?.endsWith("balance_cents") ? partnersWithBalance : sql`partner_programs as partner`}
    where ${listed}
    order by ${key ? sql`${key} ${direction},` : sql``} partner.partner_id
    limit ${slice.limit}
    offset ${slice.offset}
  `
  return page.map(({ partner_id }) => partner_id)
}

/** Takes the partners in tracking's order, and skips those that are not listed here. */
async function findByClicks(
  program_id: number,
  listed: Fragment,
  direction: "asc" | "desc",
  { offset, limit }: Slice,
) {
  const rows = await sql<{ partner_id: number }[]>`${selectIds(listed)}`
  const ids = new Set(rows.map(({ partner_id }) => partner_id))
  const last = Math.min(offset + limit, ids.size)
  const found: number[] = []
  for await (const part of partnersByClicks(program_id, direction)) {
    for (const id of part) if (ids.has(id)) found.push(id)
    if (found.length >= last) break
  }
  return found.slice(offset, last)
}

async function countStatuses(found: Fragment) {
  const [counts] = await sql<[PartnerSums["statuses"]]>`
    select
      count(*) filter (where status = 'approved') as approved,
      count(*) filter (where status = 'suspended') as suspended,
      count(*) filter (where status = 'removed') as removed
    from partner_programs as partner
    where ${found}
  `
  return counts
}

const sumBalances = (program_id: number, listed: Fragment, isNarrowed: boolean) =>
  sql<PartnerSums["balances"]>`
    select currency, sum(balance_cents)::float8 as balance_cents
    from balances
    where program_id = ${program_id}
      ${isNarrowed ? sql`and partner_id in (${selectIds(listed)})` : sql``}
    group by currency
    order by currency
  `

const selectIds = (listed: Fragment) => sql`
  select partner_id
  from partner_programs as partner
  where ${listed}
`

const readPartners = (program_id: number, partner_ids: number[]) => sql<Partner[]>`
  select ${partnerColumns}
  from unnest(${partner_ids}::bigint[]) with ordinality as page (partner_id, position)
  join ${partnersWithBalance} on partner.partner_id = page.partner_id
  where partner.program_id = ${program_id}
  order by position
`
