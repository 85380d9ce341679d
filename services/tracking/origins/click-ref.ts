import { createHmac } from "node:crypto"
import { emailKey } from "../customers/email-key"

const BYTES = 16

/**
 * What a partner calls a click: always the same, and without the key it leads neither to the click
 * nor to its click_id. The NUL keeps it apart from the other hashes that the same key makes.
 */
export const clickRefOf = (click_event_id: number): string =>
  createHmac("sha256", emailKey())
    .update(`click\0${click_event_id}`)
    .digest()
    .subarray(0, BYTES)
    .toString("base64url")
