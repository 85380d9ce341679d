import { randomBytes } from "node:crypto"
import { config, secretKey } from "../../../lib/config"
import { decrypt, encrypt } from "../../../lib/encryption"
import type { ResealResult } from "../../../lib/reseal"
import { sql } from "../db"

const NAME = "email"
const OWNER = "the key of e-mail hashes"

let key: string | undefined

/** The key of e-mail hashes. It stays the same when SECRET_KEY changes, so that they still compare. */
export function emailKey(): string {
  if (!key) throw new Error("The key of e-mail hashes is not open yet.")
  return key
}

/** Opens the key of e-mail hashes, and creates it on first use. Throws if SECRET_KEY is another. */
export async function openEmailKey() {
  key = await decrypt((await storedKey()) ?? (await createKey()), OWNER)
}

/** Seals the key with SECRET_KEY. With `discard`, one that no key opens is replaced. */
export async function resealEmailKey(discard: boolean): Promise<ResealResult> {
  const stored = await storedKey()
  if (!stored) return { resealed: 0, unopened: [] }
  const opened = await decrypt(stored, OWNER).catch(() => (discard ? newKey() : null))
  if (!opened) return { resealed: 0, unopened: ["the key of e-mail hashes"] }
  await sql`
    update sealed_keys
    set sealed = ${await encrypt(opened, OWNER)}
    where name = ${NAME}
  `
  return { resealed: 1, unopened: [] }
}

async function storedKey(): Promise<string | null> {
  const [stored] = await sql<[{ sealed: string }?]>`
    select sealed
    from sealed_keys
    where name = ${NAME}
  `
  return stored?.sealed ?? null
}

/** Replicas that start together agree on the first. Until 0015 the key was SECRET_KEY itself. */
async function createKey(): Promise<string> {
  const [{ has_leads }] = await sql<[{ has_leads: boolean }]>`
    select exists (select from affiliate_lead_events) as has_leads
  `
  const created = has_leads ? (config.secret_key_previous ?? secretKey()) : newKey()
  await sql`
    insert into sealed_keys (name, sealed)
    values (${NAME}, ${await encrypt(created, OWNER)})
    on conflict do nothing
  `
  return (await storedKey())!
}

const newKey = () => randomBytes(32).toString("hex")
