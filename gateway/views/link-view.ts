import { type Static, Type } from "@sinclair/typebox"
import { Nullable } from "../../lib/fields"
import type { Program } from "../../services/identity/contract"
import { Link } from "../../services/tracking/contract"

/** A referral link in replies. `url` is what partners share; null: there is no page to link to. */
export const LinkView = Type.Object({ ...Link.properties, url: Nullable(Type.String()) })

export function linkView(link: Link, program: Program): Static<typeof LinkView> {
  const { id, code, status, destination_url, ...rest } = link
  const url = withCode(destination_url ?? program.website_url, code)
  return { id, code, status, destination_url, url, ...rest }
}

/** Adds the code to a URL. The rest of the query stays unchanged, because a shop may sign it. */
function withCode(address: string | null, code: string): string | null {
  const url = URL.parse(address ?? "")
  if (!url) return null
  if (url.searchParams.has("aff")) url.searchParams.delete("aff")
  url.search += `${url.search ? "&" : "?"}aff=${code}`
  return url.href
}
