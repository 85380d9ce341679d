import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { eraseCustomer, findCustomer } from "../services/tracking/contract"
import { fieldsIfAny, readBody, UNREAD } from "./body"
import { permitOn } from "./caller"
import { lastOf } from "./query"

const ERASE_TIMEOUT_MS = 10_000 // a customer may have very many clicks

/** Erases a customer, whom the advertiser's own key names (contract 2). */
export const customers = new Elysia().delete(
  "/:id/customers/:customerKey",
  async ({ request, params }) => {
    const body = await readBody(request)
    const named = (program_id: number) => ({ program_id, customer_key: lastOf(request) })
    const { program } = await permitOn(request, "program:update", params.id, program_id =>
      call(findCustomer, named(program_id)),
    )
    fieldsIfAny(body)
    const erased = await call(eraseCustomer, named(program.id), ERASE_TIMEOUT_MS)
    const { customer_id: id, erased_at } = erased
    return { data: { id, erased_at } }
  },
  UNREAD,
)
