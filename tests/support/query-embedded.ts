import { join } from "node:path"
import postgres from "postgres"
import type { Launcher } from "./launcher"

/** Runs a query as the superuser of a launcher's embedded PostgreSQL. */
export async function query({ data_dir }: Launcher, text: string): Promise<unknown[]> {
  const { url } = await Bun.file(join(data_dir, "postgres.json")).json()
  const sql = postgres(url, { max: 1 })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}
