import { createHmac } from "node:crypto"
import { foldedEmail } from "../../../lib/fields"
import { emailKey } from "./email-key"

/** Returns what is stored of an e-mail address: a keyed hash to compare and a mask to show. */
export function hashAndMask(email: string) {
  const folded = foldedEmail(email)
  const [local, domain] = folded.split("@") as [string, string]
  const labels = domain.split(".")
  return {
    email_hash: createHmac("sha256", emailKey()).update(folded).digest("hex"),
    email_masked: `${initial(local)}***@${initial(domain)}***.${labels.at(-1)}`,
  }
}

/** Returns a whole code point: PostgreSQL does not store half a surrogate pair. */
const initial = (text: string) => String.fromCodePoint(text.codePointAt(0) as number)
