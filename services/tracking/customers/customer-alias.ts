import { createHmac } from "node:crypto"
import { emailKey } from "./email-key"

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ" // Crockford's base 32
const CHARACTERS = 6

/**
 * What a partner calls a customer: always the same for one partner, and no other partner's alias of
 * the same customer resembles it. Without the key nothing can be learnt from it. The NUL keeps it
 * apart from the hashes of e-mail addresses, which the same key makes.
 */
export function customerAlias(partner_id: number, customer_id: number): string {
  const hash = createHmac("sha256", emailKey()).update(`alias\0${partner_id}\0${customer_id}`)
  const bytes = hash.digest().subarray(0, CHARACTERS)
  return `Customer ${Array.from(bytes, byte => ALPHABET[byte % ALPHABET.length]).join("")}`
}
