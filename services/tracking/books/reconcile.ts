import { reconciler } from "../../../lib/reconcile"
import { sql } from "../db"
import { ATTRIBUTION } from "./attribution"
import { COUNTERS } from "./counters"
import { CUSTOMERS } from "./customers"
import { PROCESSOR_EVENTS } from "./processor-events"
import { SALES } from "./sales"

export const reconcile = reconciler(sql, [
  ...COUNTERS,
  ...ATTRIBUTION,
  ...CUSTOMERS,
  ...SALES,
  ...PROCESSOR_EVENTS,
])
