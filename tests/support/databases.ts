import postgres from "postgres"

const OPTIONS = {
  types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
  onnotice: () => {},
}
const SCHEMA = /\b(tracking|commissions|reporting|identity|delivery)"?\./g

const open = (url: string) => postgres(url, { ...OPTIONS, max: 4 })
type Sql = ReturnType<typeof open>
type Fragment = { strings?: string[]; args?: unknown[]; value?: unknown } // part of a statement, or a name

/**
 * The databases of the services, for the superuser. If each service has its own server, a statement
 * or transaction goes to the server of the schema that its text names. If it names several schemas, it
 * goes to the database `all`, which can read all of them.
 */
export function openDatabases(urls: string | Record<string, string>): Sql {
  if (typeof urls === "string") return open(urls)

  const pools = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, open(url)]))
  const [first] = Object.values(pools) as [Sql]
  const poolOf = (text: string): Sql => {
    const schemas = new Set([...text.matchAll(SCHEMA)].map(([, schema]) => schema!))
    const [only] = schemas
    return (schemas.size > 1 ? pools.all : pools[only ?? ""]) ?? first
  }
  const routed = (...[strings, ...args]: Parameters<Sql>) =>
    poolOf(textOf({ strings: strings as unknown as string[], args }))(strings, ...args)
  return Object.assign(routed, first, {
    unsafe: (...args: Parameters<Sql["unsafe"]>) => poolOf(args[0]).unsafe(...args),
    begin: (...args: Parameters<Sql["begin"]>) => poolOf(`${args.at(-1)}`).begin(...args),
  }) as unknown as Sql
}

function textOf({ strings = [], args = [], value = "" }: Fragment): string {
  const pieces = args.filter(arg => arg instanceof Object) as Fragment[]
  return [...(Array.isArray(strings) ? strings : []), ...pieces.map(textOf), `${value}`].join(" ")
}
