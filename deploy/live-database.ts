import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const { env } = process

/**
 * Sets DATABASE_URL to the embedded PostgreSQL on this machine, unless the environment already
 * names the databases of these services. Exits with 1 if there is none. Must be called before a
 * module that reads the settings is loaded.
 */
export async function findDatabase(services: string[]) {
  if (!services.every(name => env[`${name.toUpperCase()}_DATABASE_URL`])) {
    env.DATABASE_URL ||= embeddedUrl()
  }
  const { findIdentity } = await import("../lib/db/ensure-role")
  const { usePoolsAs } = await import("../lib/db/login")
  for (const name of services) {
    usePoolsAs(await findIdentity(name).catch(() => "role" as const), name) // later it says why
  }
}

function embeddedUrl(): string {
  const file = join(env.DATA_DIR || join(import.meta.dir, "../.data"), "postgres.json")
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")).url
  console.error("Set DATABASE_URL, or set DATA_DIR to the folder of a Tributary that runs here.")
  process.exit(1)
}
