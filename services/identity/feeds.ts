import type { RequestOf } from "../../lib/bus/operation"
import { readOutgoingEvents } from "../../lib/outgoing-events"
import type * as contract from "./contract"
import { feeds_sql as sql } from "./db"

export const feedOutgoingEvents = (request: RequestOf<typeof contract.feedOutgoingEvents>) =>
  readOutgoingEvents(sql, request)
