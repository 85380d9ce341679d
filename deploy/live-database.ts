import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const { env } = process

/**
 * For operators' commands: where these services have no database of their own, DATABASE_URL, or
 * the one that Tributary itself runs on this machine.
 */
export function findDatabase(services: string[]) {
  if (services.every(name => env[`${name.toUpperCase()}_DATABASE_URL`])) return
  env.DATABASE_URL ||= embeddedUrl()
}

function embeddedUrl(): string {
  const file = join(env.DATA_DIR || join(import.meta.dir, "../.data"), "postgres.json")
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")).url
  console.error("Set DATABASE_URL, or DATA_DIR to the folder of a Tributary that runs here.")
  process.exit(1)
}
