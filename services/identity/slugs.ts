import { randomBytes } from "node:crypto"
import type { Transaction } from "../../lib/db"
import { Fault } from "../../lib/fault"
import { kebab } from "../../lib/kebab"

const WORDS_MAX_CHARACTERS = 50

/** Keeps a slug for a program, which may have it already. Throws "conflict" if another does. */
export async function reserveSlug(sql: Transaction, slug: string, program_id: number) {
  if (await tookSlug(sql, slug, program_id)) return
  const [own] = await sql`
    select 1
    from program_slugs
    where slug = ${slug} and program_id = ${program_id}
  `
  if (!own) throw new Fault("conflict", "This slug is taken.")
}

/** Keeps a slug made from a program's name, with an ending where that one is taken. */
export async function reserveSlugFor(sql: Transaction, name: string, program_id: number) {
  const words = kebab(name, WORDS_MAX_CHARACTERS) ?? "program"
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
