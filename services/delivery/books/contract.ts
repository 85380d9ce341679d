import { OwnedEntry } from "../../../lib/books"
import { ownedRowsOf } from "../../../lib/owned-rows"

/** Audit entries by id. Faults: none. */
export const listEntries = ownedRowsOf("delivery.audit_entry.list", OwnedEntry)
