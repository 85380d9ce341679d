import { Type } from "@sinclair/typebox"
import { Time } from "../../lib/fields"
import { Performance } from "../../services/reporting/contract"

/** Holds for the later parts of an export only: every other request ends with http/deadline.ts. */
export const REPORT_TIMEOUT_MS = 5_000

/** In the meta of an answer that does not reach up to the moment of the request. */
export const Freshness = { appliedUntil: Type.Optional(Time) }
export const ReportMeta = Type.Object({ ...Performance.properties.meta.properties, ...Freshness })

/** Null: the answer holds everything that was acknowledged before the request. */
export const freshnessOf = (applied_until: string | null) =>
  applied_until === null ? {} : { appliedUntil: applied_until }
