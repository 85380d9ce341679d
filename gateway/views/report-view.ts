import { Type } from "@sinclair/typebox"
import { Time } from "../../lib/fields"
import { Performance } from "../../services/reporting/contract"

/** Only later parts of an export may take this long: other requests end at their deadline. */
export const REPORT_TIMEOUT_MS = 5_000

/** Fields of `meta` when a report is not complete up to the request (behaviour 7.5). */
export const Freshness = { appliedUntil: Type.Optional(Time) }
export const ReportMeta = Type.Object({ ...Performance.properties.meta.properties, ...Freshness })

/** Null: the report includes everything that was acknowledged before the request. */
export const freshnessOf = (applied_until: string | null) =>
  applied_until === null ? {} : { appliedUntil: applied_until }
