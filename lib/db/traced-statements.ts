import { config } from "../config"
import { beginSpan } from "../span"
import type { Database } from "./database"
import { onStatements, type Query } from "./statements"

/**
 * Shows in its trace each statement that a request causes: its text, which holds no values, since
 * these travel as parameters, and of an error the code alone.
 */
export function traceStatements(sql: Database) {
  if (config.traces) onStatements(sql, trace)
}

function trace(query: Query) {
  const span = beginSpan("sql")
  return (
    span &&
    ((error: unknown) => {
      const text = query.statement?.string.trim() ?? ""
      span.end({
        name: `sql ${/^\w+/.exec(text)?.[0] ?? ""}`.trim(),
        isFailed: error !== undefined,
        attributes: {
          "db.system.name": "postgresql",
          "db.query.text": text,
          ...(error !== undefined && { "error.type": `${Object(error).code ?? "unknown"}` }),
        },
      })
    })
  )
}
