import type { System } from "./system"

const LOOK_EVERY_MS = 250
const CAUGHT_UP_SECONDS = 2
const PATIENCE_MS = 180_000

/** How many seconds ago reporting had all clicks. */
export async function lagSeconds({ sql }: System): Promise<number> {
  const [{ seconds }] = await sql<[{ seconds: number }]>`
    select coalesce(extract(epoch from now() - applied_until), 0)::float8 as seconds
    from reporting.cursors
    where feed = 'clicks'
  `
  return seconds
}

/** The greatest lag while `work` is done. */
export async function lagDuring<Result>(system: System, work: () => Promise<Result>) {
  let is_done = false
  let lag_seconds_max = 0
  const watch = async () => {
    while (!is_done) {
      lag_seconds_max = Math.max(lag_seconds_max, await lagSeconds(system))
      await Bun.sleep(LOOK_EVERY_MS)
    }
  }
  const watching = watch()
  const result = await work().finally(() => {
    is_done = true
  })
  await watching
  return { result, lag_seconds_max }
}

/** Waits until reporting has caught up, and tells how long that took. */
export async function catchUp(system: System): Promise<number> {
  const start = Date.now()
  while ((await lagSeconds(system)) > CAUGHT_UP_SECONDS) {
    if (Date.now() - start > PATIENCE_MS) throw new Error("Reporting does not catch up.")
    await Bun.sleep(LOOK_EVERY_MS)
  }
  return (Date.now() - start) / 1_000
}
