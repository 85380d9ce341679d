import { randomInt } from "node:crypto"

export const TOKEN_PREFIXES = ["aff_", "affk_", "affs_"] as const
export type TokenPrefix = (typeof TOKEN_PREFIXES)[number] | "affi_" // invitation
type SecretPrefix = TokenPrefix | "whsec_" // signs webhooks; not a credential of callers

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6 // holds the 32 bits of a CRC in base 62

/** Creates a token: prefix, 32 random characters, and a checksum that reveals typing errors. */
export function mintToken(prefix: TokenPrefix): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(62)]).join("")
  return prefix + secret + checksum(prefix + secret)
}

/** Whether a token is well-formed. Rejects junk without a database query. */
export function isToken(prefix: TokenPrefix, token: string): boolean {
  const secret = token.slice(0, -CHECKSUM_LENGTH)
  return (
    token.startsWith(prefix) &&
    token.length === prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH &&
    token.endsWith(checksum(secret))
  )
}

/** The hash under which a token is stored (behaviour 2.2.2). */
export const hashOf = (token: string): string => Bun.SHA256.hash(token, "hex")

/** Masks a token for display: aff_1a2b3c4d****wxyz. */
export function mask(prefix: SecretPrefix, token: string): string {
  return `${token.slice(0, prefix.length + 8)}****${token.slice(-4)}`
}

function checksum(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ""
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
