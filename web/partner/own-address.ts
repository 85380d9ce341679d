const OURS = ["aff", "sub", "subid", "sub_id"]

/** Why a partner cannot share a page: it is no web address, or of another site. */
export type Trouble = "noAddress" | "wrongHost"

/**
 * The address of a page with a partner's code and, if given, a sub id. The rest of its query stays
 * as it is. `page` empty: the first page of the site.
 */
export function ownAddress(
  site: string,
  { page, code, subId }: { page: string; code: string; subId: string },
): { address: string } | { trouble: Trouble } {
  const home = new URL(site)
  const target = URL.parse(page.trim() || site)
  if (!target || !/^https?:$/.test(target.protocol)) return { trouble: "noAddress" }
  if (target.host !== home.host || target.username || target.password) {
    return { trouble: "wrongHost" }
  }
  for (const name of OURS) if (target.searchParams.has(name)) target.searchParams.delete(name)
  const own = new URLSearchParams({ aff: code, ...(subId.trim() && { sub_id: subId.trim() }) })
  target.search += `${target.search ? "&" : "?"}${own}`
  return { address: target.href }
}
