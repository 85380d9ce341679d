import { serve } from "../../../lib/bus"
import { migrate } from "../../../lib/migrate"
import { approveCommission } from "../../../services/commissions/approve-commission"
import { auditBooks as auditCommissions } from "../../../services/commissions/audit-books"
import * as commissions from "../../../services/commissions/contract"
import { createCommission } from "../../../services/commissions/create-commission"
import { createPartner } from "../../../services/commissions/create-partner"
import { listBookedCommissions } from "../../../services/commissions/list-booked-commissions"
import { markCommissionPaid } from "../../../services/commissions/mark-commission-paid"
import { putProgram as putCommissionsProgram } from "../../../services/commissions/put-program"
import { rejectCommission } from "../../../services/commissions/reject-commission"
import { reverseCommission } from "../../../services/commissions/reverse-commission"
import { auditBooks as auditTracking } from "../../../services/tracking/audit-books"
import * as tracking from "../../../services/tracking/contract"
import { listBookedSales } from "../../../services/tracking/list-booked-sales"
import { putPartner } from "../../../services/tracking/put-partner"
import { putProgram } from "../../../services/tracking/put-program"
import { recordSale } from "../../../services/tracking/record-sale"
import { refundSale } from "../../../services/tracking/refund-sale"

/** The real handlers on the in-process bus: those of the money path, and what sets the scene. */
export async function startHandlers() {
  const services = `${import.meta.dir}/../../../services`
  await migrate("tracking", `${services}/tracking/migrations`)
  await migrate("commissions", `${services}/commissions/migrations`)

  await serve("tracking", of(tracking), {
    recordSale,
    refundSale,
    putProgram,
    putPartner,
    auditBooks: auditTracking,
    listBookedSales,
  })
  await serve("commissions", of(commissions), {
    createCommission,
    reverseCommission,
    approveCommission,
    rejectCommission,
    markCommissionPaid,
    putProgram: putCommissionsProgram,
    createPartner,
    auditBooks: auditCommissions,
    listBookedCommissions,
  })
}

/** A contract of which only a part is answered: serve() itself asks for no more. */
const of = <Module extends object>(contract: Module) => contract as Partial<Module>
