import { randomBytes } from "node:crypto"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { slugify } from "../../../lib/slugify"

const WORDS_MAX_CHARACTERS = 50

/**
 * Keeps a slug for a program, which may have it already. Throws "conflict" if another does, and
 * "unavailable" while another is being made with it: nobody can tell whether it will be.
 */
export async function reserveSlug(sql: Transaction, slug: string, program_id: number) {
  if (await tookSlug(sql, slug, program_id)) return
  const [holder] = await sql<[{ id: number; is_made: boolean }?]>`
    select id, version > 0 as is_made
    from program_slugs
    join programs on programs.id = program_id
    where program_slugs.slug = ${slug}
  `
  if (holder?.id === program_id) return
  if (holder?.is_made) throw new Fault("conflict", "This slug is taken.")
  throw new Fault("unavailable", "A program with this slug is being made: try again.")
}

/** Keeps a slug made from a program's name, with an ending where that one is taken. */
export async function reserveSlugFor(sql: Transaction, name: string, program_id: number) {
  const words = slugify(name, WORDS_MAX_CHARACTERS) ?? "program"
  let slug = words
  while (!(await tookSlug(sql, slug, program_id))) {
    slug = `${words}-${randomBytes(3).toString("hex")}`
  }
  return slug
}

/** Whether it was free. One that races for the same slug waits here until the other has it or gives it up. */
async function tookSlug(sql: Transaction, slug: string, program_id: number): Promise<boolean> {
  const reserved = await sql`
    insert into program_slugs (slug, program_id)
    values (${slug}, ${program_id})
    on conflict (slug) do nothing
  `
  return reserved.count === 1
}
