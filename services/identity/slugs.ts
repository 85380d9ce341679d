import { randomBytes } from "node:crypto"
import type { Transaction } from "../../lib/db"
import { Fault } from "../../lib/fault"

const WORDS_MAX_CHARACTERS = 50

/** Keeps a slug for a program, which may have it already. Throws "conflict" if another does. */
export async function reserveSlug(sql: Transaction, slug: string, program_id: number) {
  if (await isReserved(sql, slug, program_id)) return
  const [own] = await sql`
    select 1
    from program_slugs
    where slug = ${slug} and program_id = ${program_id}
  `
  if (!own) throw new Fault("conflict", "This slug is taken.")
}

/** Keeps a slug made from a program's name, with an ending where that one is taken. */
export async function makeSlug(sql: Transaction, name: string, program_id: number) {
  const words = wordsOf(name)
  let slug = words
  while (!(await isReserved(sql, slug, program_id))) {
    slug = `${words}-${randomBytes(3).toString("hex")}`
  }
  return slug
}

/** One that races for the same slug waits here until the other has it or gives it up. */
async function isReserved(sql: Transaction, slug: string, program_id: number): Promise<boolean> {
  const reserved = await sql`
    insert into program_slugs (slug, program_id)
    values (${slug}, ${program_id})
    on conflict (slug) do nothing
  `
  return reserved.count === 1
}

/** "Café Zürich & Co." is cafe-zurich-co. */
function wordsOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  const words = plain.match(/[a-z0-9]+/g) ?? ["program"]
  return words.join("-").slice(0, WORDS_MAX_CHARACTERS).replace(/-$/, "")
}
