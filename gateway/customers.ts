import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { eraseCustomer, findCustomer, showCustomer } from "../services/tracking/contract"
import { fieldsIfAny, readBody, UNREAD } from "./body"
import { permitOn } from "./caller"
import { ANSWER_MS_MAX } from "./deadline"
import { lastOf } from "./query"

/** A customer, whom the advertiser's own key names: shown, and erased (contract 2). */
export const customers = new Elysia()
  .get("/:id/customers/:customerKey", async ({ request, params }) => {
    const { found } = await permitOn(request, "tracking:read", params.id, program_id =>
      call(showCustomer, { program_id, customer_key: lastOf(request) }),
    )
    return { data: found }
  })
  .delete(
    "/:id/customers/:customerKey",
    async ({ request, params }) => {
      const body = await readBody(request)
      const named = (program_id: number) => ({ program_id, customer_key: lastOf(request) })
      const { program } = await permitOn(request, "program:update", params.id, program_id =>
        call(findCustomer, named(program_id)),
      )
      fieldsIfAny(body)
      const erased = await call(eraseCustomer, named(program.id), ANSWER_MS_MAX) // of many clicks
      const { customer_id: id, erased_at } = erased
      return { data: { id, erased_at } }
    },
    UNREAD,
  )
