import { join } from "node:path"
import { databaseUrl } from "../lib/config"
import { loginUrl } from "../lib/db/login"
import { migrate } from "../lib/db/migrate"
import { applyTransactionScope } from "../services/tracking/sales/transaction-scope"
import { SERVICE_NAMES } from "./part"

/** Migrates all schemas as their owners. Returns the URL with which each service connects. */
export async function migrateAll(report = (_line: string) => {}): Promise<Map<string, string>> {
  const urls = new Map<string, string>()
  for (const name of SERVICE_NAMES) {
    const folder = join(import.meta.dir, "../services", name, "migrations")
    const identity = await migrate(name, folder)
    urls.set(name, (identity === "login" && loginUrl(name)) || databaseUrl(name))
    report(`The schema ${name} is up to date.`)
  }
  await applyTransactionScope()
  return urls
}
