import { reconciler } from "../../../lib/reconcile"
import { sql } from "../db"
import { DECISIONS } from "./decisions"
import { LEDGER } from "./ledger"
import { NOTIFICATIONS } from "./notifications"
import { POLICIES } from "./policies"

export const reconcile = reconciler(sql, [...LEDGER, ...DECISIONS, ...NOTIFICATIONS, ...POLICIES])
