import postgres from "postgres"

const PATIENCE_MS = 3

/** A statement that PostgreSQL has not answered yet. `pid` is the process that works on it. */
type Running = { pid: number; ended: Promise<unknown>; blockers: string; verdict?: Verdict }

/** Why a statement was taken back: it stood behind others, or closed a circle with them. */
export type Verdict = { isDeadlock: boolean; isWorthATry: () => boolean }

const running = new Map<number, Running>()
const releases = new Map<number, number>()
let observer: postgres.Sql
let ended = 0

/** Whoever looks at the locks is a superuser beside the simulation. */
export function observeBy(url: string) {
  observer = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
}

/** A process of PostgreSQL has let go of all its locks: those who stood behind it may try again. */
export const noteRelease = (pid: number) => releases.set(pid, releasesOf(pid) + 1)
const releasesOf = (pid: number) => releases.get(pid) ?? 0

/** Follows a statement to its end. `settle` hears why it was taken back, if it was. */
export function follow(
  pid: number,
  work: (verdict: () => Verdict | undefined) => Promise<unknown>,
) {
  const statement: Running = { pid, blockers: "", ended: Promise.resolve() }
  statement.ended = work(() => statement.verdict).finally(() => {
    running.delete(pid)
    ended++
  })
  running.set(pid, statement)
}

/**
 * Waits until each statement is answered, or parked: it waits for a lock that another turn will
 * free. Of those that wait for one transaction only the first is parked, since PostgreSQL would
 * let any of them go first, and a seed must replay; the others are taken back, to be tried again.
 * Of a circle the one that closed it is the victim, for the same reason.
 */
export async function allParked() {
  while (running.size > 0) {
    const fresh = [...running.values()].filter(({ blockers }) => blockers === "")
    if (fresh.length > 0) {
      await Promise.race([...running.values()].map(one => one.ended).concat(Bun.sleep(PATIENCE_MS)))
    }
    const before = ended
    const waiting = await lookAtLocks()
    if (waiting.size < running.size || ended !== before) continue
    if (!(await takeBack(waiting))) return
  }
}

/** Whom each statement waits for. One that waits for nobody is at work. */
async function lookAtLocks(): Promise<Map<number, number[]>> {
  const rows = await observer<{ pid: number; blockers: number[] }[]>`
    select pid, to_jsonb(pg_blocking_pids(pid)) as blockers
    from unnest(${`{${[...running.keys()]}}`}::int[]) as pid
  `
  for (const { pid, blockers } of rows) {
    const statement = running.get(pid)
    if (statement) statement.blockers = blockers.join()
  }
  return new Map(
    rows.flatMap(({ pid, blockers }) => (blockers.length > 0 ? [[pid, blockers]] : [])),
  )
}

/** Answers whether any was. Those that have waited longest are looked at first. */
async function takeBack(waiting: Map<number, number[]>): Promise<boolean> {
  const parked = new Map<number, number[]>()
  for (const statement of running.values()) {
    const blockers = waiting.get(statement.pid)!
    const reaches = (pid: number): boolean =>
      pid === statement.pid || (parked.get(pid) ?? []).some(reaches)
    const isCircle = blockers.some(reaches)
    const isLater = blockers.some(
      pid => parked.has(pid) || [...parked.values()].flat().includes(pid),
    )

    if (isCircle || isLater) {
      statement.verdict = { isDeadlock: isCircle, isWorthATry: released(blockers) }
      await observer`select pg_cancel_backend(${statement.pid})`
      await statement.ended
      return true
    }
    parked.set(statement.pid, blockers)
  }
  return false
}

/** Whether one of them has let go since now. */
function released(pids: number[]): () => boolean {
  const before = pids.map(releasesOf)
  return () => pids.some((pid, i) => releasesOf(pid) !== before[i])
}
