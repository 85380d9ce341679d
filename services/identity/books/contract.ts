import { OwnedBinding, OwnedEntry, OwnedEvent, OwnedProgram } from "../../../lib/books"
import { ownedRowsCheckOf, ownedRowsOf } from "../../../lib/owned-rows"
import { reconcileOf } from "../../../lib/reconcile"

export const reconcile = reconcileOf("identity")

/** Programs by id, those being created included. Faults: none. */
export const listOwnedPrograms = ownedRowsOf("identity.program.list_owned", OwnedProgram)

/** Accounts of partners by the partner's id. Faults: none. */
export const listOwnedBindings = ownedRowsOf("identity.partner.list_owned", OwnedBinding)

/** Outgoing events by id. Faults: none. */
export const listOutgoingEvents = ownedRowsOf("identity.outgoing_event.list", OwnedEvent)

/** Compares the audit log with the entries of another service. Faults: none. */
export const checkEntries = ownedRowsCheckOf("identity.audit_entry.check", OwnedEntry)
