import { config } from "../config"
import { startClientSpan } from "../span"
import type { Database } from "./database"
import { onStatements, type Query } from "./statements"

/**
 * Adds a span for each statement to the trace of its request, if tracing is on. It has the text,
 * which contains no values because they are parameters, and only the code of an error.
 */
export function traceStatements(sql: Database) {
  if (config.traces) onStatements(sql, trace)
}

function trace(query: Query) {
  const span = startClientSpan("sql")
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
