import { BookedSale, OwnedEntry, OwnedEvent, OwnedPartner, OwnedProgram } from "../../../lib/books"
import { feedDigestOf } from "../../../lib/feeds/digest"
import { ownedRowsCheckOf, ownedRowsOf } from "../../../lib/owned-rows"
import { reconcileOf } from "../../../lib/reconcile"

export const reconcile = reconcileOf("tracking")

/** The digest of a feed of this service, without test rows. Faults: none. */
export const digestFeed = feedDigestOf("tracking")

/** Sales by id, without test sales. Faults: none. */
export const listBookedSales = ownedRowsOf("tracking.sale.list_booked", BookedSale)

/** Audit entries by id. Faults: none. */
export const listEntries = ownedRowsOf("tracking.audit_entry.list", OwnedEntry)

/** Outgoing events by id. Faults: none. */
export const listOutgoingEvents = ownedRowsOf("tracking.outgoing_event.list", OwnedEvent)

/** Compares the programs that tracking knows with those of identity. Faults: none. */
export const checkPrograms = ownedRowsCheckOf("tracking.program.check", OwnedProgram)

/** Compares the partners that tracking knows with those of commissions. Faults: none. */
export const checkPartners = ownedRowsCheckOf("tracking.partner.check", OwnedPartner)
