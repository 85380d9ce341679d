import {
  BookedSale,
  OwnedBinding,
  OwnedEntry,
  OwnedEvent,
  OwnedPartner,
  OwnedProgram,
} from "../../../lib/books"
import { feedDigestOf } from "../../../lib/feeds/digest"
import { ownedRowsCheckOf, ownedRowsOf } from "../../../lib/owned-rows"
import { reconcileOf } from "../../../lib/reconcile"

export const reconcile = reconcileOf("commissions")

/** The digest of a feed of this service. Faults: none. */
export const digestFeed = feedDigestOf("commissions")

/** Partner-program records by the partner's id. Faults: none. */
export const listOwnedPartners = ownedRowsOf("commissions.partner.list_owned", OwnedPartner)

/** Audit entries by id. Faults: none. */
export const listEntries = ownedRowsOf("commissions.audit_entry.list", OwnedEntry)

/** Outgoing events by id. Faults: none. */
export const listOutgoingEvents = ownedRowsOf("commissions.outgoing_event.list", OwnedEvent)

/** Recomputes commissions and refunds from the sales of tracking. Faults: none. */
export const checkSales = ownedRowsCheckOf("commissions.sale.check", BookedSale)

/** Compares the programs that commissions knows with those of identity. Faults: none. */
export const checkPrograms = ownedRowsCheckOf("commissions.program.check", OwnedProgram)

/** Compares the accounts of partners with the bindings of identity. Faults: none. */
export const checkBindings = ownedRowsCheckOf("commissions.partner.check_bindings", OwnedBinding)
