import { serve } from "../../../lib/bus/bus"
import { migrate } from "../../../lib/db/migrate"
import { unavailable } from "../../../lib/fault"
import { bookOperations as commissionsBooks } from "../../../services/commissions/books/operations"
import { approveCommission } from "../../../services/commissions/commissions/approve-commission"
import { createCommission } from "../../../services/commissions/commissions/create-commission"
import { markCommissionPaid } from "../../../services/commissions/commissions/mark-commission-paid"
import { rejectCommission } from "../../../services/commissions/commissions/reject-commission"
import { reverseCommission } from "../../../services/commissions/commissions/reverse-commission"
import * as commissions from "../../../services/commissions/contract"
import { createGroup } from "../../../services/commissions/groups/create-group"
import { listGroups } from "../../../services/commissions/groups/list-groups"
import { createPartner } from "../../../services/commissions/partners/create-partner"
import { putProgram as putCommissionsProgram } from "../../../services/commissions/programs/put-program"
import { bookOperations as trackingBooks } from "../../../services/tracking/books/operations"
import * as tracking from "../../../services/tracking/contract"
import { putPartner } from "../../../services/tracking/partners/put-partner"
import { putProgram } from "../../../services/tracking/programs/put-program"
import { findLastSale } from "../../../services/tracking/sales/find-last-sale"
import { recordSale } from "../../../services/tracking/sales/record-sale"
import { refundSale } from "../../../services/tracking/sales/refund-sale"
import { isInterrupted } from "./outage"
import { terms } from "./terms"

/** Serves the real handlers on the in-process bus: sales, refunds, commissions and the set-up. */
export async function startHandlers() {
  const services = `${import.meta.dir}/../../../services`
  await migrate("tracking", `${services}/tracking/migrations`)
  await migrate("commissions", `${services}/commissions/migrations`)

  await serve("tracking", partOf(tracking), {
    recordSale,
    refundSale,
    putProgram,
    putPartner,
    ...trackingBooks,
    findLastSale,
  })
  await serve("commissions", partOf(commissions), {
    createCommission: request => {
      terms.noteStored(request.sale_id)
      if (isInterrupted()) throw unavailable()
      return createCommission(request)
    },
    reverseCommission,
    approveCommission,
    rejectCommission,
    markCommissionPaid,
    putProgram: putCommissionsProgram,
    createPartner,
    createGroup,
    listGroups,
    ...commissionsBooks,
  })
}

/** Types a contract as partial, because only some of its operations have a handler here. */
const partOf = <Module extends object>(contract: Module) => contract as Partial<Module>
