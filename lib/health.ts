import { Type } from "@sinclair/typebox"
import { operation } from "./bus/operation"
import type { Database } from "./db/database"

/**
 * Replies if both the service and its database respond. `problems` are sentences for the operator.
 * `is_down`: the service refuses its work because of them.
 */
export const healthOf = (service: string) =>
  operation(`${service}.health.show`, {
    request: Type.Object({}),
    reply: Type.Object({
      problems: Type.Optional(Type.Array(Type.String())), // absent: an older version replied
      is_down: Type.Optional(Type.Boolean()),
    }),
  })

/** Returns sentences about what is wrong, without data of callers: /status shows them to anyone. */
export type FindProblems = () => Promise<string[]>

/** `findReason` returns why the service refuses its work, or null. */
export const healthHandler =
  (sql: Database, findReason: () => string | null = () => null, ...finders: FindProblems[]) =>
  async () => {
    await sql`select 1`
    const reason = findReason()
    const problems = (await Promise.all(finders.map(find => find()))).flat()
    return { is_down: reason !== null, problems: reason ? [reason, ...problems] : problems }
  }
