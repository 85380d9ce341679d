import { Counter } from "prom-client"
import { Fault } from "./fault"

const mismatches = new Counter({
  name: "tributary_mismatched_writes_total",
  help: "Writes refused because another row is stored under their key: a database was restored alone.",
  labelNames: ["operation"],
})

/**
 * Throws "unavailable" unless a request names the same values as the row that is stored under its
 * key. They differ if the database of one service was restored to an earlier moment than that of
 * another and then issued ids again. A value that is absent on either side, because an older version
 * wrote it, is not compared.
 */
export function requireSame<Row extends object>(
  operation: string,
  stored: Row,
  request: { [Name in keyof Row]?: unknown },
) {
  const isDifferent = (name: keyof Row) =>
    stored[name] !== null && request[name] !== undefined && stored[name] !== request[name]
  const different = (Object.keys(stored) as (keyof Row & string)[]).filter(isDifferent)
  if (different.length > 0) throw mismatch(operation, `it differs in ${different.join(", ")}`)
}

/** The fault for a row that is not what the request says of it. Counts it. */
export function mismatch(operation: string, reason: string): Fault {
  mismatches.inc({ operation })
  const cause = new Error(`${operation}: the row under its key is another one: ${reason}.`)
  return new Fault("unavailable", MESSAGE, cause) // a cause is logged
}

const MESSAGE =
  "Nothing was changed, because two services hold different data for this sale. " +
  "Contact the operator of this instance."
