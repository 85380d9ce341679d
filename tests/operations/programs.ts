import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { postgresPackage } from "../../deploy/postgres-package"

const DEBIAN = "/usr/lib/postgresql"

/** Returns the path of a program. Null: it is not installed. */
export function programOf(name: string): string | null {
  const [, debianName] = /^debian\/(.*)$/.exec(name) ?? []
  return debianName ? debianProgram(debianName) : Bun.which(name)
}

/** PostgreSQL from the npm package, or from Debian's packages. */
export type Kind = "embedded" | "debian"

export const postgresOf = (kind: Kind) =>
  kind === "embedded"
    ? postgresPackage()
    : { initdb: programOf("debian/initdb")!, postgres: programOf("debian/postgres")! }

/** Returns the name and version of a program, for example "PgBouncer 1.18.0". */
export function versionOf(program: string): string {
  const { stdout } = Bun.spawnSync([program, "--version"])
  const [line] = stdout.toString().split("\n") as [string]
  return line.replace(/^postgres \((\w+)\)/, "$1").replace(/^nats-server: v/, "NATS ")
}

/** Returns the path in the newest installed version. Debian keeps these programs off PATH. */
function debianProgram(name: string): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : []
  const paths = versions
    .toSorted((a, b) => b - a)
    .map(version => join(DEBIAN, `${version}/bin`, name))
  return paths.find(existsSync) ?? null
}
