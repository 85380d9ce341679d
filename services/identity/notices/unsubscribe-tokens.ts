import { createHmac } from "node:crypto"
import { isValid } from "../../../lib/bus/operation"
import { config, secretKey } from "../../../lib/config"
import { isSameSecret } from "../../../lib/same-secret"
import { NoticeKind } from "./contract"

/** What an unsubscribe token can do: turn off these kinds of notices for one person. */
type Unsubscription = { user_id: number; kinds: NoticeKind[] }

/**
 * Creates the token of a mail. It is signed, not stored, and does not expire: all it can do is turn
 * off kinds of notices. It ends with SECRET_KEY.
 */
export function mintUnsubscribeToken({ user_id, kinds }: Unsubscription): string {
  const content = `${user_id}.${kinds.join("-")}`
  return `${content}.${signatureOf(content, secretKey())}`
}

/** Reads a token. Null: it was not signed here. */
export function readUnsubscribeToken(token: string): Unsubscription | null {
  const [, content, id, kinds, signature] = TOKEN.exec(token) ?? []
  if (!content || !kinds || !signature) return null
  const keys = [secretKey(), config.secret_key_previous].filter(key => key !== null)
  if (!keys.some(key => isSameSecret(signature, signatureOf(content, key)))) return null
  const known = kinds.split("-").filter((kind): kind is NoticeKind => isValid(NoticeKind, kind))
  return { user_id: Number(id), kinds: known }
}

const TOKEN = /^((\d{1,15})\.([a-z_-]+))\.([\w-]{43})$/

const signatureOf = (content: string, key: string): string =>
  createHmac("sha256", key).update(`unsubscribe/${content}`).digest("base64url")
