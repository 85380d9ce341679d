import type { RequestOf } from "../../../lib/bus/operation"
import type * as contract from "../contract"
import type { Program } from "../contract"
import { sql } from "../db"
import { programColumns } from "./programs"

export async function findPrograms({ program_ids }: RequestOf<typeof contract.findPrograms>) {
  const programs = await sql<Program[]>`
    select ${programColumns}
    from programs
    where id = any (${program_ids}::bigint[])
      and version > 0
  `
  return { programs }
}
