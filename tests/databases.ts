import postgres from "postgres"

const OPTIONS = {
  types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  onnotice: () => {},
}
const SCHEMA = /\b(tracking|commissions|reporting|identity)\./

const open = (url: string) => postgres(url, { ...OPTIONS, max: 4 })
type Sql = ReturnType<typeof open>

/**
 * The databases of the services as their superuser sees them. Where each service has a server of its
 * own, a statement goes to that of the first schema which it names.
 */
export function openDatabases(urls: string | Record<string, string>): Sql {
  if (typeof urls === "string") return open(urls)

  const pools = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, open(url)]))
  const [first] = Object.values(pools) as [Sql]
  const routed = (...args: Parameters<Sql>) => {
    const [strings] = args as unknown as [TemplateStringsArray]
    const [, schema] = (Array.isArray(strings?.raw) && SCHEMA.exec(strings.join("?"))) || []
    return ((schema && pools[schema]) || first)(...args)
  }
  return Object.assign(routed, first, {
    unsafe: (...args: Parameters<Sql["unsafe"]>) => {
      const [, schema = ""] = SCHEMA.exec(args[0]) ?? []
      return (pools[schema] ?? first).unsafe(...args)
    },
  }) as unknown as Sql
}
