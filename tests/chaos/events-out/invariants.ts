import type { readEventLog } from "../../support/event-log"
import type { Received } from "./received"
import type { Killing, ReceiverName, Receivers } from "./receivers"
import type { Stored } from "./stored"

const RETRIED_SECONDS_MAX = 60
const NAMED_MAX = 3

type Log = Awaited<ReturnType<typeof readEventLog>>
type AllReceived = ReturnType<Receivers["received"]>

/** A receiver that was frozen sees late what had ended long before, so times say nothing there. */
const NEVER_FROZEN = ["steady", "slow", "erring"] as const

/** W1 and W3: the log has each event that was written once, in sequence and without gaps. */
export function compareLog(log: Log, written: string[]): string[] {
  const out_of_sequence = log.filter(({ sequence }, i) => sequence !== i + 1)
  const last = new Map(log.map(event => [event.id, event]))
  const repeated = log.filter(event => last.get(event.id) !== event)
  return [
    ...named("repeated in the log", idsOf(repeated)),
    ...differences("the log", idsOf(log), "what was written", written),
    ...named("out of sequence in the log", idsOf(out_of_sequence)),
  ]
}

/**
 * W1 and W3: each event that an endpoint subscribes to is delivered, failed or skipped. What counts
 * as delivered was answered with a success.
 */
export function compareDeliveries(stored: Stored[], received: AllReceived): string[] {
  const open = stored.filter(({ status }) => status === "pending" || status === "missing")
  const byReceiver = Map.groupBy(stored, ({ receiver }) => receiver)
  return [
    ...named("missing or pending", eventIdsOf(open)),
    ...(Object.entries(received) as [ReceiverName, Received[]][]).flatMap(([name, requests]) => {
      const own = byReceiver.get(name) ?? []
      const delivered = own.filter(({ status }) => status === "delivered")
      const accepted = requests.filter(({ status }) => status === 200)
      const unwanted = without(eventIdsOf(requests), eventIdsOf(own))
      return [
        ...(own.length > 0 ? [] : [`${name} has no deliveries`]),
        ...named(
          `delivered to ${name} without a request`,
          without(eventIdsOf(delivered), eventIdsOf(accepted)),
        ),
        ...named(`sent to ${name}, which did not subscribe`, unwanted),
      ]
    }),
  ]
}

/** W2, W3 and W8, as the receivers saw it. */
export function compareRequests(received: AllReceived, log: Log, cuts: Cut[]): string[] {
  const all = Object.values(received).flat()
  const hashes = new Map(
    log.map(event => [event.id, Bun.SHA256.hash(JSON.stringify(event), "hex")]),
  )
  const altered = all.filter(({ event_id, body_hash }) => hashes.get(event_id) !== body_hash)
  const unsigned = all.filter(({ is_signed }) => !is_signed)
  const late = cuts.filter(({ retried_s }) => retried_s > RETRIED_SECONDS_MAX)
  return [
    ...differences(
      "requests to a * endpoint",
      [...new Set(eventIdsOf(received.steady))],
      "the log",
      idsOf(log),
    ),
    ...named("sent with other bytes than the log has", eventIdsOf(altered)),
    ...named("sent without a valid signature", eventIdsOf(unsigned)),
    ...NEVER_FROZEN.flatMap(name =>
      named(`attempted twice at once at ${name}`, findOverlaps(received[name])),
    ),
    ...named(`cut off and not tried again within ${RETRIED_SECONDS_MAX} s`, eventIdsOf(late)),
  ]
}

/**
 * A request whose sender was killed. `retried_s`: until the next attempt, from when delivery was not
 * killed any more; infinite: there is none.
 */
type Cut = { event_id: string; retried_s: number }

export function findCuts(received: AllReceived, killings: Killing[]): Cut[] {
  const undisturbedAfter = (time: number) =>
    killings.find(({ from, until }) => time >= from && time <= until)?.until ?? time
  return NEVER_FROZEN.flatMap(name =>
    attemptsByEvent(received[name]).flatMap(attempts =>
      attempts.flatMap(({ event_id, status, closed_at }, i) => {
        if (status !== null) return []
        const retried_at = attempts[i + 1]?.opened_at ?? Infinity
        return {
          event_id,
          retried_s: Math.max(0, retried_at - undisturbedAfter(closed_at)) / 1_000,
        }
      }),
    ),
  )
}

const findOverlaps = (requests: Received[]) =>
  attemptsByEvent(requests).flatMap(attempts =>
    attempts.flatMap(({ event_id, closed_at }, i) => {
      const next = attempts[i + 1]
      return next && next.opened_at < closed_at ? event_id : []
    }),
  )

/** The requests of each event, in their order. */
const attemptsByEvent = (requests: Received[]) => [
  ...Map.groupBy(requests, ({ event_id }) => event_id).values(),
]

const idsOf = (events: { id: string }[]) => events.map(({ id }) => id)
const eventIdsOf = (items: { event_id: string }[]) => items.map(({ event_id }) => event_id)

/** Says what either list lacks. */
const differences = (one: string, ones: string[], other: string, others: string[]) => [
  ...named(`in ${one}, but not in ${other}`, without(ones, others)),
  ...named(`in ${other}, but not in ${one}`, without(others, ones)),
]

function without(items: string[], others: string[]): string[] {
  const known = new Set(others)
  return items.filter(item => !known.has(item))
}

const named = (what: string, ids: string[]) =>
  ids.length === 0 ? [] : [`${ids.length} events ${what}: ${ids.slice(0, NAMED_MAX).join(", ")}`]
