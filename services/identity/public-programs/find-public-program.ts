import type { RequestOf } from "../../../lib/bus/operation"
import { findBranding } from "../branding/brandings"
import type * as contract from "../contract"
import type { Program } from "../contract"
import { sql } from "../db"
import { programColumns, programNotFound } from "../programs/programs"
import { findTerms } from "../terms/terms"

type Request = RequestOf<typeof contract.findPublicProgram>

export async function findPublicProgram({ slug }: Request) {
  const [program] = await sql<[Program?]>`
    select ${programColumns}
    from programs
    where slug = ${slug}
      and version > 0
      and published_at is not null
      and status <> 'archived'
  `
  if (!program) throw programNotFound()
  const [terms, branding] = await Promise.all([
    findTerms(sql, program.id),
    findBranding(sql, program.id),
  ])
  return { program, terms, branding }
}
