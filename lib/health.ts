import { Type } from "@sinclair/typebox"
import { operation } from "./bus/operation"
import type { Database } from "./db/database"

/** Replies if both the service and its database respond. */
export const healthOf = (service: string) =>
  operation(`${service}.health.show`, { request: Type.Object({}), reply: Type.Object({}) })

export const healthHandler = (sql: Database) => async () => {
  await sql`select 1`
  return {}
}
