import type { RequestOf } from "../../../lib/bus/operation"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { NO_ACTOR, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import { sql } from "../db"
import { checkDestination, insertLink } from "./links"

const LINKS_MAX = 50

type Request = RequestOf<typeof contract.createPartnerLink>

/** The lock of the partner's row makes concurrent requests wait, so that none exceeds the limit. */
export async function createPartnerLink({ program_id, website_url, link }: Request) {
  const { partner_id, code = null, destination_url = null } = link
  checkDestination(destination_url)
  if (destination_url !== null) checkSite(destination_url, website_url)

  return sql.begin(async sql => {
    await lockPartner(sql, program_id, partner_id)
    const [{ links }] = await sql<[{ links: number }]>`
      select count(*) as links
      from referral_links
      where program_id = ${program_id}
        and partner_id = ${partner_id}
    `
    if (links >= LINKS_MAX) {
      throw new Fault(
        "conflict",
        `You have ${links} links in this program: ${LINKS_MAX} are possible.`,
      )
    }
    const row = { program_id, partner_id, code, name: "link", destination_url }
    const created = await insertLink(sql, row)
    const details = { partner_id, code: created.code, destination_url }
    const change = { program_id, action: "link.create", subject_id: created.id, details } as const
    await recordChange(sql, change, NO_ACTOR)
    return created
  })
}

/** Partners link to the program's own site, with nothing in the address that hides where it leads. */
function checkSite(destination_url: string, website_url: string | null) {
  const [target, site] = [new URL(destination_url), URL.parse(website_url ?? "")]
  if (!site) {
    throw new Fault("invalid", "The program has no website yet: omit destination_url.")
  }
  const hasUser = target.username !== "" || target.password !== ""
  if (target.host === site.host && !hasUser) return
  throw new Fault("invalid", `destination_url must be a page of ${site.host}.`)
}

async function lockPartner(sql: Transaction, program_id: number, partner_id: number) {
  const [partner] = await sql<[{ status: string }?]>`
    select status
    from partner_programs
    where program_id = ${program_id}
      and partner_id = ${partner_id}
    for update
  `
  if (partner?.status === "approved") return
  throw new Fault("conflict", "Only an approved partner of the program can create links.")
}
