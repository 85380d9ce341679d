import postgres from "postgres"

const PATIENCE_MS = 3

/** The statements that PostgreSQL has not answered yet, by the process that works on each. */
const running = new Map<number, Promise<unknown>>()
let answered = 0
let observer: postgres.Sql | undefined

/** Whoever looks at the locks is a superuser beside the simulation. */
export function observeBy(url: string) {
  observer = postgres(url, { max: 1, fetch_types: false })

}

export function watch<Result>(pid: number, statement: Promise<Result>): Promise<Result> {
  const ended = statement
    .catch(() => {}) // whoever asked hears of it
    .then(() => {
      running.delete(pid)
      answered++
    })
  running.set(pid, ended)
  return statement
}

/** Waits until each statement is answered or waits for a lock that another turn will free. */
export async function stillRunning() {
  while (running.size > 0) {
    const before = answered
    await Promise.race([...running.values(), Bun.sleep(PATIENCE_MS)])
    if (running.size === 0) return
    if ((await areParked([...running.keys()])) && answered === before) return
  }
}

/** Whether all of them wait, and not in a circle, which PostgreSQL is about to break. */
async function areParked(pids: number[]): Promise<boolean> {
  const waiting = await observer!<{ pid: number; blockers: number[] }[]>`
    select pid, to_jsonb(pg_blocking_pids(pid)) as blockers
    from unnest(${`{${pids}}`}::int[]) as pid
  `
  const blockersOf = new Map(waiting.map(({ pid, blockers }) => [pid, blockers]))
  if (waiting.some(({ blockers }) => blockers.length === 0)) return false

  const reaches = (from: number, to: number, seen = new Set<number>()): boolean =>
    (blockersOf.get(from) ?? []).some(
      next => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    )
  return !pids.some(pid => reaches(pid, pid))
}
