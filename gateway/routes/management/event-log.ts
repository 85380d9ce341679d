import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import {
  Event,
  EventLogQuery,
  type EventType,
  listEventLog,
} from "../../../services/delivery/contract"
import { eventLogOfProgram } from "../../http/access"
import { route } from "../../http/route"

const PAGE_SIZE = 10

/** What has happened in a program, to pull (behaviour 12.3). */
export const eventLog = [
  route(
    {
      id: "listEventLog",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/event-log",
      summary: "List what has happened in a program, in sequence",
      description:
        "Send `next` as `after` to get the events that follow. A page of large events has fewer than `pageSize`: only an empty one is the end.",
      access: eventLogOfProgram,
      query: [EventLogQuery],
      answers: {
        200: Type.Object({
          data: Type.Array(Event),
          meta: Type.Object({ next: Type.Integer() }), // the last sequence here, else `after`
        }),
      },
    },
    async ({ program, query }) => {
      const after = Number(query.after ?? 0)
      const data = await call(listEventLog, {
        program_id: program.id,
        after,
        types: query.types ? (query.types.split(",") as EventType[]) : null,
        limit: Number(query.pageSize ?? PAGE_SIZE),
      })
      return { data, meta: { next: data.at(-1)?.sequence ?? after } }
    },
  ),
]
