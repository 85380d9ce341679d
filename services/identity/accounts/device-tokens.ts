import { createHmac, randomBytes } from "node:crypto"
import { secretKey } from "../../../lib/config"
import { isSameSecret } from "../../../lib/same-secret"

const AGE_MAX_MS = 400 * 24 * 60 * 60 * 1_000

type Account = { id: number; password_hash: string }

/**
 * Creates the token of a device on which someone has just signed in: when, a random id, and a
 * signature of both with the account. The signature includes the hash of the password, so a new
 * password ends every known device.
 */
export function mintDeviceToken(account: Account): string {
  const content = `${Date.now()}.${randomBytes(16).toString("base64url")}`
  return `${content}.${signatureOf(account, content)}`
}

/** The id in a token of this account. Null: the signature is wrong, or the token is too old. */
export function deviceIdIn(token: string, account: Account): string | null {
  const [minted_ms, id, signature, ...rest] = token.split(".")
  if (!minted_ms || !id || !signature || rest.length > 0) return null
  if (!isSameSecret(signature, signatureOf(account, `${minted_ms}.${id}`))) return null
  return Date.now() - Number(minted_ms) < AGE_MAX_MS ? id : null
}

const signatureOf = ({ id, password_hash }: Account, content: string): string =>
  createHmac("sha256", secretKey())
    .update(`known device/${id}/${password_hash}/${content}`)
    .digest("base64url")
