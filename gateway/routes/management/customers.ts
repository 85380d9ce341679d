import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import { Id, Name, Time } from "../../../lib/fields"
import {
  Customer,
  eraseCustomer,
  findCustomer,
  showCustomer,
} from "../../../services/tracking/contract"
import { fieldsIfAny, readBody } from "../../http/body"
import { authorizeInside, authorizeProgram } from "../../http/caller"
import { ANSWER_MS_MAX } from "../../http/deadline"
import { lastOf, queryOf } from "../../http/query"
import { manager, One, PERMITTED, reads, writes } from "../../openapi/description"

const Named = Type.Object({ customer_key: Name })
const Erased = Type.Object({ id: Id, erased_at: Time })

/** A customer, whom the advertiser's own key names: shown, and erased (contract 2). */
export const customers = new Elysia()
  .get(
    "/:id/customers/:customerKey",
    async ({ request, params }) => {
      const { found } = await authorizeInside(request, "tracking:read", params.id, program_id =>
        call(showCustomer, { program_id, customer_key: lastOf(request) }),
      )
      return { data: found }
    },
    reads({
      id: "showCustomer",
      summary: "Show a customer of a program",
      by: PERMITTED,
      answers: { 200: One(Customer) },
    }),
  )
  .delete(
    "/:id/customers/:customerKey",
    async ({ request, params }) => {
      const body = await readBody(request)
      const named = (program_id: number) => ({ program_id, customer_key: lastOf(request) })
      const { program } = await authorizeInside(request, "program:update", params.id, program_id =>
        call(findCustomer, named(program_id)),
      )
      fieldsIfAny(body)
      return erase(named(program.id))
    },
    writes({
      id: "eraseCustomer",
      summary: "Erase whatever names a customer; the books stay",
      by: manager("program:update"),
      answers: { 200: One(Erased) },
    }),
  )
  .delete(
    "/:id/customers",
    async ({ request, params }) => {
      const body = await readBody(request)
      const { id: program_id } = await authorizeProgram(request, "program:update", params.id)
      fieldsIfAny(body)
      return erase({ program_id, ...queryOf(request, Named) })
    },
    writes({
      id: "eraseCustomerByQuery",
      summary: "Erase a customer by any key, also by one that no path can hold: . or ..",
      by: manager("program:update"),
      query: [Named],
      answers: { 200: One(Erased) },
    }),
  )

async function erase(named: RequestOf<typeof eraseCustomer>) {
  const erased = await call(eraseCustomer, named, ANSWER_MS_MAX) // of many clicks
  const { customer_id: id, erased_at } = erased
  return { data: { id, erased_at } }
}
