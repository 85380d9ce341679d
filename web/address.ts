import { useLocation, useRoute } from "preact-iso"

type Changes = Record<string, string | number | null | undefined>

/**
 * The address of the page: the values of its path and of its query. `change` sets and, with null or
 * "", removes values of the query; it starts at the first page again unless it names one.
 */
export function useAddress() {
  const { path, query, route } = useLocation()
  const { params } = useRoute()

  const hrefWith = (changes: Changes) => {
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries({ page: null, ...changes })) {
      if (value === null || value === undefined || value === "") next.delete(name)
      else next.set(name, `${value}`)
    }
    return next.size > 0 ? `${path}?${next}` : path
  }
  const change = (changes: Changes, { replaces = false } = {}) => route(hrefWith(changes), replaces)
  return { path, params, query, hrefWith, change, go: route }
}
