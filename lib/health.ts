import { Type } from "@sinclair/typebox"
import { operation } from "./bus/operation"
import type { Database } from "./db/database"

/** Answers if the service and its database do. */
export const healthOf = (service: string) =>
  operation(`${service}.health.show`, { request: Type.Object({}), reply: Type.Object({}) })

export const answersHealth = (sql: Database) => async () => {
  await sql`select 1`
  return {}
}
