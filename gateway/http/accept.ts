/** The quality of a type in Accept (RFC 9110). 0: Accept does not name it. */
export function quality(accept: string, type: string): number {
  const named = accept
    .split(",")
    .map(part => part.split(";").map(text => text.trim().toLowerCase()))
  const [, ...parameters] = named.find(([name]) => name === type) ?? ["", "q=0"]
  const q = parameters.find(parameter => parameter.startsWith("q="))
  return q === undefined ? 1 : Number(q.slice(2)) || 0
}

/** Whether a person is reading: browsers name HTML when they open an address, clients do not. */
export function prefersHtml({ headers }: Request): boolean {
  const accept = headers.get("accept") ?? ""
  return quality(accept, "text/html") > quality(accept, "application/json")
}
