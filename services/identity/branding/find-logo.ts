import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { sql } from "../db"

/** Two programs may have the same logo. */
export async function findLogo({ logo_hash }: RequestOf<typeof contract.findLogo>) {
  const [found] = await sql<[{ webp: string }?]>`
    select translate(encode(logo, 'base64'), E'\n', '') as webp
    from program_brandings
    where logo_hash = ${logo_hash}
    limit 1
  `
  if (!found) throw new Fault("missing", "Logo not found.")
  return found
}
