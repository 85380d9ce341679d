import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import { Id, Name, Time } from "../../../lib/fields"
import {
  Customer,
  eraseCustomer,
  findCustomer,
  showCustomer,
} from "../../../services/tracking/contract"
import { inProgram, program } from "../../http/access"
import { ANSWER_MS_MAX } from "../../http/deadline"
import { lastPathSegment } from "../../http/query"
import { One, route } from "../../http/route"

const CustomerKey = Type.Object({ customer_key: Name })
const Erased = Type.Object({ id: Id, erased_at: Time })

/** Shows and erases customers by the advertiser's own key (behaviour 5.2.1, 5.2.3). */
export const customers = [
  route(
    {
      id: "showCustomer",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/customers/:customerKey",
      summary: "Show a customer of a program",
      access: inProgram("tracking:read", ({ program_id, request }) =>
        call(showCustomer, { program_id, customer_key: lastPathSegment(request) }),
      ),
      answers: { 200: One(Customer) },
    },
    ({ found }) => ({ data: found }),
  ),
  route(
    {
      id: "eraseCustomer",
      method: "DELETE",
      path: "/api/advertiser/affiliate-programs/:id/customers/:customerKey",
      summary: "Erase the personal data of a customer. Sales and amounts are kept",
      access: inProgram("program:update", ({ program_id, request }) =>
        call(findCustomer, { program_id, customer_key: lastPathSegment(request) }),
      ),
      answers: { 200: One(Erased) },
    },
    ({ program, request }) =>
      erase({ program_id: program.id, customer_key: lastPathSegment(request) }),
  ),
  route(
    {
      id: "eraseCustomerByQuery",
      method: "DELETE",
      path: "/api/advertiser/affiliate-programs/:id/customers",
      summary:
        "Erase a customer whose key is in the query, also for the keys `.` and `..`, which no path can carry",
      access: program("program:update"),
      query: [CustomerKey],
      answers: { 200: One(Erased) },
    },
    ({ program, query }) => erase({ program_id: program.id, ...query }),
  ),
]

async function erase(customer: RequestOf<typeof eraseCustomer>) {
  const erased = await call(eraseCustomer, customer, ANSWER_MS_MAX) // it may have many clicks
  const { customer_id: id, erased_at } = erased
  return { data: { id, erased_at } }
}
