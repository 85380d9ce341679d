import { type Context, Elysia } from "elysia"
import { call } from "../lib/bus"
import { Fault } from "../lib/fault"
import {
  type Event,
  EventsQuery,
  listEvents,
  PerformanceQuery,
  showPerformance,
} from "../services/reporting/contract"
import { permitUnhidden, sessionOf } from "./caller"
import { listOf, wholePage } from "./list"
import { pageOf, queryOf } from "./query"

export const REPORT_TIMEOUT_MS = 5_000 // up to 1 s of it to catch up

/** What dashboard users see of a program (specification 4.6, 4.7). */
export const reporting = new Elysia({ prefix: "/api/tracking" })
  .get("/events/:programId", getEvents)
  .get("/performance/:programId", getPerformance)

type Asked = Pick<Context<{ params: { programId: string } }>, "request" | "params">

async function getEvents({ request, params }: Asked) {
  const caller = await sessionOf(request).catch(forbidden) // 403, as specification 5.2 says
  const program_id = (await permitUnhidden(caller, "tracking:list", params.programId)).id // 404, 403
  const page = pageOf(request) // 400
  const query = queryOf(request, EventsQuery)

  const { rows, total, applied_until } = await wholePage(page, slice =>
    call(listEvents, { program_id, query, slice }, REPORT_TIMEOUT_MS),
  )
  const { data, meta } = listOf(rows.map(event), total, page)
  return { data, meta: { ...meta, ...reach(applied_until) } }
}

async function getPerformance({ request, params }: Asked) {
  const caller = await sessionOf(request) // 401
  const program = await permitUnhidden(caller, "performance:read", params.programId) // 404, 403
  const query = queryOf(request, PerformanceQuery) // 400

  const asked = { program, query }
  const { performance, applied_until } = await call(showPerformance, asked, REPORT_TIMEOUT_MS)
  const { data, metrics, meta } = performance
  return { data, metrics, meta: { ...meta, ...reach(applied_until) } }
}

const event = ({ created_at, ...event }: Event) => ({ ...event, createdAt: created_at })

/** Stands in an answer only where it does not reach up to the question. */
export const reach = (applied_until: string | null) =>
  applied_until === null ? {} : { appliedUntil: applied_until }

function forbidden(error: unknown): never {
  if (error instanceof Fault && error.kind === "unauthorized") {
    throw new Fault("forbidden", error.message)
  }
  throw error
}
