import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { call } from "../lib/bus"
import { Id, Time } from "../lib/fields"
import { Customer, eraseCustomer, findCustomer, showCustomer } from "../services/tracking/contract"
import { fieldsIfAny, readBody } from "./body"
import { permitOn } from "./caller"
import { ANSWER_MS_MAX } from "./deadline"
import { manager, One, PERMITTED, reads, writes } from "./description"
import { lastOf } from "./query"

const Erased = Type.Object({ id: Id, erased_at: Time })

/** A customer, whom the advertiser's own key names: shown, and erased (contract 2). */
export const customers = new Elysia()
  .get(
    "/:id/customers/:customerKey",
    async ({ request, params }) => {
      const { found } = await permitOn(request, "tracking:read", params.id, program_id =>
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
      const { program } = await permitOn(request, "program:update", params.id, program_id =>
        call(findCustomer, named(program_id)),
      )
      fieldsIfAny(body)
      const erased = await call(eraseCustomer, named(program.id), ANSWER_MS_MAX) // of many clicks
      const { customer_id: id, erased_at } = erased
      return { data: { id, erased_at } }
    },
    writes({
      id: "eraseCustomer",
      summary: "Erase whatever names a customer; the books stay",
      by: manager("program:update"),
      answers: { 200: One(Erased) },
    }),
  )
