import type { System } from "./system"

const POLL_INTERVAL_MS = 250
const CAUGHT_UP_SECONDS = 2
const CATCH_UP_TIMEOUT_MS = 180_000

/** How many seconds reporting is behind the clicks. */
export async function lagSeconds({ sql }: System): Promise<number> {
  const [{ seconds }] = await sql<[{ seconds: number }]>`
    select coalesce(extract(epoch from now() - applied_until), 0)::float8 as seconds
    from reporting.cursors
    where feed = 'clicks'
  `
  return seconds
}

/** Runs `work`, and measures the greatest lag meanwhile. */
export async function lagDuring<Result>(system: System, work: () => Promise<Result>) {
  let isDone = false
  let lag_seconds_max = 0
  const watch = async () => {
    while (!isDone) {
      lag_seconds_max = Math.max(lag_seconds_max, await lagSeconds(system))
      await Bun.sleep(POLL_INTERVAL_MS)
    }
  }
  const watching = watch()
  const result = await work().finally(() => {
    isDone = true
  })
  await watching
  return { result, lag_seconds_max }
}

/** Waits until reporting has caught up. Returns how many seconds that took. */
export async function waitForCatchUp(system: System): Promise<number> {
  const start = Date.now()
  while ((await lagSeconds(system)) > CAUGHT_UP_SECONDS) {
    if (Date.now() - start > CATCH_UP_TIMEOUT_MS)
      throw new Error("Reporting did not catch up within three minutes.")
    await Bun.sleep(POLL_INTERVAL_MS)
  }
  return (Date.now() - start) / 1_000
}
