import { randomInt } from "node:crypto"
import type { Database, Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { slugify } from "../../../lib/slugify"
import type { Link } from "../contract"
import { sql as pool } from "../db"

const NAME_MAX_CHARACTERS = 40
const SUFFIX_CHARACTERS = 6
const SUFFIX_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz" // without look-alikes

export const LINK_COLUMNS = [
  "id",
  "code",
  "status",
  "destination_url",
  "clicks",
  "last_clicked",
  "partner_id",
  "created_at",
] satisfies (keyof Link)[]

type LinkRow = {
  program_id: number
  partner_id: number
  code: string | null // null: generated from the name
  name: string
  destination_url: string | null
}

/** Whether the partner's creation is complete. Until then its status is removed, in version 1. */
export const isPartnerCreated = pool`
  not exists (
    select 1
    from partner_programs as partner
    where (partner.program_id, partner.partner_id) =
        (link.program_id, link.partner_id)
      and (partner.version, partner.status) = (1, 'removed')
  )
`

/** Stores a link of a partner. Throws "conflict" if its code is taken. */
export async function insertLink(sql: Database | Transaction, link: LinkRow): Promise<Link> {
  const { program_id, partner_id, code, name, destination_url } = link
  const [created] = await sql<[Link?]>`
    insert into referral_links (program_id, partner_id, code, destination_url)
    values (${program_id}, ${partner_id}, ${code ?? generateCode(name)}, ${destination_url})
    on conflict (code) do nothing
    returning ${sql(LINK_COLUMNS)}
  `
  if (created) return created
  if (code === null) return insertLink(sql, link)
  throw new Fault("conflict", `The code "${code}" is taken.`)
}

/** Whether the text is a valid link code. Any other need not be looked up. */
export const isLinkCode = (text: string): boolean => /^[A-Za-z0-9_-]{3,64}$/.test(text)

/** Rejects URLs that match the schema's pattern but cannot be parsed. Throws "invalid". */
export function checkDestination(url: string | null | undefined) {
  if (!url || URL.canParse(url)) return
  throw new Fault("invalid", "destination_url must be a URL with http or https.")
}

export const linkNotFound = () => new Fault("missing", "Referral link not found in this program.")

/** Generates a code from a name: "Zoë's Blog" becomes zoes-blog-7kq2mx. */
function generateCode(name: string): string {
  const words = slugify(name, NAME_MAX_CHARACTERS) ?? "partner"
  const suffix = Array.from(
    { length: SUFFIX_CHARACTERS },
    () => SUFFIX_ALPHABET[randomInt(SUFFIX_ALPHABET.length)],
  )
  return `${words}-${suffix.join("")}`
}
