import { createHmac } from "node:crypto"
import { secretKey } from "../../../lib/config"
import { foldedEmail } from "../../../lib/fields"

/** An e-mail address as it is kept: a keyed hash to compare by, and a mask to show; never itself. */
export function hidden(email: string) {
  const folded = foldedEmail(email)
  const [local, domain] = folded.split("@") as [string, string]
  const labels = domain.split(".")
  return {
    email_hash: createHmac("sha256", secretKey()).update(folded).digest("hex"),
    email_masked: `${initial(local)}***@${initial(domain)}***.${labels.at(-1)}`,
  }
}

/** A whole character: half a surrogate pair could not be stored. */
const initial = (text: string) => String.fromCodePoint(text.codePointAt(0) as number)
