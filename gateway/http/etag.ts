/** Whether the caller's copy is current. Ignores W/, because proxies add and remove it. */
export function isCurrent({ headers }: Request, etag: string): boolean {
  const tags = headers.get("if-none-match") ?? ""
  return tags.split(",").some(tag => tag.trim() === "*" || opaque(tag) === opaque(etag))
}

const opaque = (tag: string) => tag.trim().replace(/^W\//, "")
