import type { RequestOf } from "../../lib/contract"
import { Fault } from "../../lib/fault"
import type * as contract from "./contract"
import type { Program } from "./contract"
import { sql } from "./db"
import { archived, findProgram, shown } from "./programs"

/** A commission policy is never missing: every program has its Default group. */
export async function publishProgram({ program_id }: RequestOf<typeof contract.publishProgram>) {
  const [published] = await sql<[Program?]>`
    update programs
    set
      published_at = coalesce(published_at, now()),
      updated_at = case when published_at is null then now() else updated_at end
    where id = ${program_id}
      and version > 0
      and status <> 'archived'
      and website_url is not null
    returning ${shown}
  `
  if (published) return published

  const { status } = await findProgram(program_id)
  if (status === "archived") throw archived()
  throw new Fault("invalid", "website_url is missing: a program needs one to be published.")
}
