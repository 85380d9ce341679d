import { Type } from "@sinclair/typebox"
import { Gauge } from "prom-client"
import { serve } from "./bus/bus"
import { type Handlers, type Operation, operation } from "./bus/operation"
import type { Database } from "./db/database"
import { asFault, Fault } from "./fault"
import { log } from "./log"
import { every } from "./timer"

const CHECK_PAUSE_MS = 2_000
const FIRST_CHECK_PAUSE_MS = 500 // while not all neighbours have been compared
const FIRST_CHECK_WAIT_MS = 300
const AWAY_WAIT_MS = 300 // for a neighbour that may be away

/**
 * Declares the operation that returns the highest numbers of other services' rows that this service
 * refers to, by what they number. 0: it refers to none.
 */
export const referencesOf = <const Name extends string>(service: string, names: Name[]) =>
  operation(`${service}.reference.show`, {
    request: Type.Object({}),
    reply: Type.Object(
      Object.fromEntries(names.map(name => [name, Type.Integer()])) as Record<
        Name,
        ReturnType<typeof Type.Integer>
      >,
    ),
  })

/**
 * A service that refers to rows of this one. `issued` names the sequence that numbers them.
 * `mayBeAway`: nothing waits for a comparison with it.
 */
export type Neighbour = {
  name: string
  mayBeAway?: true
  showReferences(): Promise<Record<string, number>>
  issued: Record<string, string>
}

type Handler = (request: any) => Promise<unknown> // any: serve() types it

const ALWAYS = /\.(health|reference|feed)\.|\.(audit_entry|outgoing_event)\.feed$/
const guards: { service: string; isRestoredAlone: () => boolean }[] = []

new Gauge({
  name: "tributary_restored_alone",
  help: "1: the service refuses its work, because its database is older than its neighbours'.",
  labelNames: ["service"],
  collect() {
    for (const { service, isRestoredAlone } of guards)
      this.set({ service }, isRestoredAlone() ? 1 : 0)
  },
})

type Options = {
  compareBefore?: string[] // operations that issue ids: each call compares again
  neverWait?: string[] // operations that do not wait for the first comparison after a start
}

/**
 * Watches for a database that was restored alone to an earlier moment: neighbours then refer to rows
 * that it has not numbered yet. It would number other rows the same, and mix the data of programs.
 * While that is so, the operations of the service throw "unavailable", except those that neighbours
 * and readers of its feeds need.
 */
export function watchNeighbours(
  service: string,
  sql: Database,
  neighbours: Neighbour[],
  { compareBefore = [], neverWait = [] }: Options = {},
) {
  const found = new Map<string, string | null>() // by neighbour: what is wrong, or null
  const needed = neighbours.filter(({ mayBeAway }) => !mayBeAway)
  const isComplete = () => needed.every(({ name }) => found.has(name))
  const reason = () => [...found.values()].find(reason => reason !== null) ?? null
  guards.push({ service, isRestoredAlone: () => reason() !== null })
  let firstCheck = { at: -Infinity, done: Promise.resolve() }

  /** Compares with each neighbour. One that does not reply, or fails, keeps its last result. */
  async function check() {
    const before = reason()
    await Promise.all(
      neighbours.map(neighbour => {
        const compared = compareWith(neighbour)
        return neighbour.mayBeAway ? Promise.race([compared, Bun.sleep(AWAY_WAIT_MS)]) : compared
      }),
    )
    if (reason() !== before)
      log.error(reason() ?? "The database is consistent with the other services again.")
  }

  async function compareWith(neighbour: Neighbour) {
    try {
      found.set(neighbour.name, await compare(sql, neighbour))
    } catch (error) {
      const { kind, cause: err } = asFault(error)
      if (kind !== "unavailable") log.error({ err }, `Comparing with ${neighbour.name} failed.`)
    }
  }

  /** Compares before the first request, but does not wait long for a neighbour that is down. */
  async function checkFirst() {
    if (performance.now() - firstCheck.at > FIRST_CHECK_PAUSE_MS) {
      firstCheck = { at: performance.now(), done: check() }
    }
    await Promise.race([firstCheck.done, Bun.sleep(FIRST_CHECK_WAIT_MS)])
  }

  const guard = (name: string, handler: Handler) => async (request: unknown) => {
    if (compareBefore.includes(name)) await check()
    else if (!isComplete() && !neverWait.includes(name)) await checkFirst()
    if (reason()) throw new Fault("unavailable", REFUSAL)
    return handler(request)
  }

  return {
    check,
    /** Checks regularly. Returns what stops it. */
    keepChecking: () => every(CHECK_PAUSE_MS, "Comparing with neighbours", check),
    /** Why the service refuses its work. Null: it does not. */
    findReason: reason,

    /** Serves the operations of a contract, as `serve` of the bus does. */
    serve<Module>(service: string, contract: Module, handlers: Handlers<Module>) {
      const guarded = Object.entries<Handler>(handlers).map(([name, handler]) => {
        const { subject } = contract[name as keyof Module] as Operation
        return [name, ALWAYS.test(subject) ? handler : guard(name, handler)]
      })
      return serve(service, contract, Object.fromEntries(guarded) as Handlers<Module>)
    },

    /** Skips recurring work that might act on an outdated state: until all have been compared. */
    whenPresent: (work: () => Promise<number>) => async () =>
      isComplete() && !reason() ? work() : 0,
  }
}

const REFUSAL =
  "This service is unavailable: its database was restored to an earlier point in time than the others."

/** Returns what a neighbour refers to that was not issued yet, as a sentence. Null: nothing. */
async function compare(sql: Database, { name, showReferences, issued }: Neighbour) {
  const known = await showReferences() // first: what is issued meanwhile only grows
  const sequences = await sql<{ name: string; last: number }[]>`
    select sequencename as name, coalesce(last_value, 0) as last
    from pg_sequences
    where schemaname = current_schema()
  `
  const lastOf = new Map(sequences.map(({ name, last }) => [name, last]))
  const ahead = Object.entries(issued).flatMap(([what, sequence]) => {
    const [referred, last] = [known[what] ?? 0, lastOf.get(sequence) ?? 0]
    return referred > last ? [`${what} up to ${referred}, but only ${last} were issued`] : []
  })
  if (ahead.length === 0) return null
  return (
    `its database was restored alone: ${name} refers to ${ahead.join(", and to ")}. ` +
    'It refuses all requests until all databases are restored to the same point in time: see "Restored alone" in docs/backup.md.'
  )
}
