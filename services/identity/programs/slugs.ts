import { randomBytes } from "node:crypto"
import type { Transaction } from "../../../lib/db/database"
import { Fault } from "../../../lib/fault"
import { slugify } from "../../../lib/slugify"

const WORDS_MAX_CHARACTERS = 50

/**
 * Reserves a slug for a program, which may already have it. Throws "conflict" if another program
 * has it, and "unavailable" while another one is being created with it, which may still fail.
 */
export async function reserveSlug(sql: Transaction, slug: string, program_id: number) {
  if (await tryReserve(sql, slug, program_id)) return
  const [holder] = await sql<[{ id: number; is_created: boolean }?]>`
    select id, version > 0 as is_created
    from program_slugs
    join programs on programs.id = program_id
    where program_slugs.slug = ${slug}
  `
  if (holder?.id === program_id) return
  if (holder?.is_created) throw new Fault("conflict", "This slug is taken.")
  throw new Fault("unavailable", "A program with this slug is being created: try again.")
}

/** Reserves a slug made from a program's name, with a random suffix if it is taken. */
export async function reserveSlugFromName(sql: Transaction, name: string, program_id: number) {
  const words = slugify(name, WORDS_MAX_CHARACTERS) ?? "program"
  let slug = words
  while (!(await tryReserve(sql, slug, program_id))) {
    slug = `${words}-${randomBytes(3).toString("hex")}`
  }
  return slug
}

/** Reserves a slug if it is free. A concurrent attempt for the same slug waits for the first. */
async function tryReserve(sql: Transaction, slug: string, program_id: number): Promise<boolean> {
  const reserved = await sql`
    insert into program_slugs (slug, program_id)
    values (${slug}, ${program_id})
    on conflict (slug) do nothing
  `
  return reserved.count === 1
}
