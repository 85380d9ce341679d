import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { postgresPackage } from "../../deploy/postgres-package"

const DEBIAN = "/usr/lib/postgresql"

/** The path of a program; null where it is not installed. */
export function programOf(name: string): string | null {
  const [, ofDebian] = /^debian\/(.*)$/.exec(name) ?? []
  return ofDebian ? debianProgram(ofDebian) : Bun.which(name)
}

/** PostgreSQL as the package manager of npm installed it, or as that of Debian did. */
export type Kind = "embedded" | "debian"

export const postgresOf = (kind: Kind) =>
  kind === "embedded"
    ? postgresPackage()
    : { initdb: programOf("debian/initdb")!, postgres: programOf("debian/postgres")! }

/** What a program calls itself, like "PgBouncer 1.18.0". */
export function versionOf(program: string): string {
  const { stdout } = Bun.spawnSync([program, "--version"])
  const [line] = stdout.toString().split("\n") as [string]
  return line.replace(/^postgres \((\w+)\)/, "$1").replace(/^nats-server: v/, "NATS ")
}

/** Of the newest version that is here. Debian keeps the servers' programs off PATH. */
function debianProgram(name: string): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : []
  const paths = versions
    .toSorted((a, b) => b - a)
    .map(version => join(DEBIAN, `${version}/bin`, name))
  return paths.find(existsSync) ?? null
}
