import { noRowSetAside } from "../../../lib/feeds/set-aside"
import { reconciler } from "../../../lib/reconcile"
import { sql } from "../db"
import { BREAKDOWNS } from "./breakdowns"
import { ROLLUPS } from "./rollups"

export const reconcile = reconciler(sql, [noRowSetAside("reporting"), ...ROLLUPS, ...BREAKDOWNS])
