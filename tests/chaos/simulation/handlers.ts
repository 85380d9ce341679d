import { serve } from "../../../lib/bus/bus"
import { migrate } from "../../../lib/db/migrate"
import { approveCommission } from "../../../services/commissions/commissions/approve-commission"
import { createCommission } from "../../../services/commissions/commissions/create-commission"
import { listBookedCommissions } from "../../../services/commissions/commissions/list-booked-commissions"
import { markCommissionPaid } from "../../../services/commissions/commissions/mark-commission-paid"
import { rejectCommission } from "../../../services/commissions/commissions/reject-commission"
import { reverseCommission } from "../../../services/commissions/commissions/reverse-commission"
import * as commissions from "../../../services/commissions/contract"
import { createPartner } from "../../../services/commissions/partners/create-partner"
import { putProgram as putCommissionsProgram } from "../../../services/commissions/programs/put-program"
import { reconcile as auditCommissions } from "../../../services/commissions/reconcile"
import * as tracking from "../../../services/tracking/contract"
import { putPartner } from "../../../services/tracking/partners/put-partner"
import { putProgram } from "../../../services/tracking/programs/put-program"
import { reconcile as auditTracking } from "../../../services/tracking/reconcile"
import { listBookedSales } from "../../../services/tracking/sales/list-booked-sales"
import { recordSale } from "../../../services/tracking/sales/record-sale"
import { refundSale } from "../../../services/tracking/sales/refund-sale"

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
    reconcile: auditTracking,
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
    reconcile: auditCommissions,
    listBookedCommissions,
  })
}

/** A contract of which only a part is answered: serve() itself asks for no more. */
const of = <Module extends object>(contract: Module) => contract as Partial<Module>
