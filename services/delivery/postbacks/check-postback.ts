import { Fault } from "../../../lib/fault"
import type { Postback } from "../contract"
import { findUrlRefusal } from "../outside/destination"
import { checkTemplate } from "./template"

/** Throws "invalid" if this template does not give a request. */
export function refuseTemplate({
  url,
  method,
  body,
  dialect,
}: Pick<Postback, "url" | "method" | "body" | "dialect">) {
  const problem = checkTemplate({ url, method, body: body ?? undefined, dialect })
  if (problem) throw new Fault("invalid", problem)
}

/** Throws "invalid" if no request may be sent to this URL. Its host has no macros. */
export async function refuseUrl(url: string) {
  const refusal = await findUrlRefusal(url)
  if (refusal) throw new Fault("invalid", refusal)
}
