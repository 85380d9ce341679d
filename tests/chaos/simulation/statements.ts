import postgres from "postgres"

const WAIT_MS = 3

/** A statement that PostgreSQL has not answered yet. `pid` is the backend that runs it. */
type Statement = { pid: number; ended: Promise<unknown>; blockers: string; canceled?: Cancellation }

/** Why a statement was canceled: it closed a deadlock, or others wait for the same transaction. */
export type Cancellation = { isDeadlock: boolean; canRetry: () => boolean }

const running = new Map<number, Statement>()
const releases = new Map<number, number>()
let observer: postgres.Sql
let endedCount = 0

/** Connects the superuser that reads the locks, outside the simulation. */
export function observeLocks(url: string) {
  observer = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
}

/** Records that a backend has released its locks: statements that waited for it may be retried. */
export const noteRelease = (pid: number) => releases.set(pid, releasesOf(pid) + 1)
const releasesOf = (pid: number) => releases.get(pid) ?? 0

/** Runs a statement and tracks it until it ends. `work` learns why it was canceled, if it was. */
export function trackStatement(
  pid: number,
  work: (cancellation: () => Cancellation | undefined) => Promise<unknown>,
) {
  const statement: Statement = { pid, blockers: "", ended: Promise.resolve() }
  statement.ended = work(() => statement.canceled).finally(() => {
    running.delete(pid)
    endedCount++
  })
  running.set(pid, statement)
}

/**
 * Waits until each statement has ended or is parked, that is, waits for a lock that a later turn
 * frees. Of the statements that wait for one transaction only the first is parked and the others
 * are canceled, to be retried: PostgreSQL could let any of them go first, but a seed must replay.
 * For the same reason the statement that closes a deadlock is always its victim.
 */
export async function untilParked() {
  while (running.size > 0) {
    const fresh = [...running.values()].filter(({ blockers }) => blockers === "")
    if (fresh.length > 0) {
      await Promise.race([...running.values()].map(one => one.ended).concat(Bun.sleep(WAIT_MS)))
    }
    const before = endedCount
    const waiting = await readBlockers()
    if (waiting.size < running.size || endedCount !== before) continue
    if (!(await cancelOne(waiting))) return
  }
}

/** Maps each waiting statement's pid to the pids that block it. Working statements are absent. */
async function readBlockers(): Promise<Map<number, number[]>> {
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

/** Cancels the first statement that may not stay parked, oldest first. Returns whether it did. */
async function cancelOne(waiting: Map<number, number[]>): Promise<boolean> {
  const parked = new Map<number, number[]>()
  for (const statement of running.values()) {
    const blockers = waiting.get(statement.pid)!
    const reaches = (pid: number): boolean =>
      pid === statement.pid || (parked.get(pid) ?? []).some(reaches)
    const isDeadlock = blockers.some(reaches)
    const isLater = blockers.some(
      pid => parked.has(pid) || [...parked.values()].flat().includes(pid),
    )

    if (isDeadlock || isLater) {
      statement.canceled = { isDeadlock, canRetry: whenReleased(blockers) }
      await observer`select pg_cancel_backend(${statement.pid})`
      await statement.ended
      return true
    }
    parked.set(statement.pid, blockers)
  }
  return false
}

/** Returns a function that says whether one of the backends has released its locks since now. */
function whenReleased(pids: number[]): () => boolean {
  const before = pids.map(releasesOf)
  return () => pids.some((pid, i) => releasesOf(pid) !== before[i])
}
