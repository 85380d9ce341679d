import { OwnedEntry, OwnedEvent } from "../../../lib/books"
import { ownedRowsCheckOf, ownedRowsOf } from "../../../lib/owned-rows"
import { reconcileOf } from "../../../lib/reconcile"

export const reconcile = reconcileOf("delivery")

/** Audit entries by id. Faults: none. */
export const listEntries = ownedRowsOf("delivery.audit_entry.list", OwnedEntry)

/** Compares events with those of the service that owns them. Faults: none. */
export const checkEvents = ownedRowsCheckOf("delivery.event.check", OwnedEvent)
