import type { RequestOf } from "../../../lib/bus/operation"
import { differences, recordChange } from "../../../lib/record-change"
import type * as contract from "../contract"
import type { Link } from "../contract"
import { sql } from "../db"
import { checkDestination, isPartnerCreated, LINK_COLUMNS, linkNotFound } from "./links"

/** Changes only the fields that are present. A null destination_url restores the program's. */
export async function updateLink(request: RequestOf<typeof contract.updateLink>) {
  const { program_id, link_id, change } = request
  checkDestination(change.destination_url)

  return sql.begin(async sql => {
    const [before] = await sql<[Pick<Link, "status" | "destination_url">?]>`
      select status, destination_url
      from referral_links as link
      where id = ${link_id}
        and program_id = ${program_id}
        and ${isPartnerCreated}
      for update
    `
    if (!before) throw linkNotFound()

    const after = { ...before, ...change }
    await sql`
      update referral_links
      set
        status = ${after.status},
        destination_url = ${after.destination_url}
      where id = ${link_id}
    `
    const [link] = await sql<[Link]>`
      select ${sql(LINK_COLUMNS)}
      from counted_links
      where id = ${link_id}
    `
    const details = differences(before, after)
    await recordChange(sql, { program_id, action: "link.update", subject_id: link_id, details })
    return link
  })
}
