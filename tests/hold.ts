import { sql } from "./world"

/** Keeps a table as it is until the answer is called. */
export async function hold(table: string, mode: string) {
  const { promise: released, resolve } = Promise.withResolvers<void>()
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>()
  const holding = sql.begin(async sql => {
    await sql.unsafe(`lock table ${table} in ${mode} mode`)
    isHeld()
    await released
  })
  await held
  return () => {
    resolve()
    return holding
  }
}
