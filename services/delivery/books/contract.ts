import { OwnedEntry } from "../../../lib/books"
import { ownedRowsOf } from "../../../lib/owned-rows"
import { reconcileOf } from "../../../lib/reconcile"

export const reconcile = reconcileOf("delivery")

/** Audit entries by id. Faults: none. */
export const listEntries = ownedRowsOf("delivery.audit_entry.list", OwnedEntry)
