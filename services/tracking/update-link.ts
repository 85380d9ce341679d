import type { RequestOf } from "../../lib/contract"
import type * as contract from "./contract"
import type { Link } from "./contract"
import { sql } from "./db"
import { checkDestination, LINK_COLUMNS, noLink } from "./links"

/** Only the fields that are present change; a null destination_url goes back to the program's. */
export async function updateLink(asked: RequestOf<typeof contract.updateLink>) {
  const { program_id, link_id, change } = asked
  const { status = null, destination_url } = change
  checkDestination(destination_url)

  const [link] = await sql<[Link?]>`
    update referral_links
    set
      status = coalesce(${status}, status),
      destination_url = ${destination_url === undefined ? sql`destination_url` : destination_url}
    where id = ${link_id}
      and program_id = ${program_id}
    returning ${sql(LINK_COLUMNS)}
  `
  if (!link) throw noLink()
  return link
}
