import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import type { RequestOf } from "../../../lib/bus/operation"
import { Id, Name, Page, sliceOf, Time } from "../../../lib/fields"
import {
  Customer,
  eraseCustomer,
  findCustomer,
  showCustomer,
} from "../../../services/tracking/contract"
import { inProgram, program } from "../../http/access"
import { ANSWER_MS_MAX } from "../../http/deadline"
import { Listed, listOf } from "../../http/list"
import { pathSegment } from "../../http/query"
import { One, route } from "../../http/route"
import { JourneyStep, journeyOf } from "../../views/journey-view"

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
        call(showCustomer, { program_id, customer_key: pathSegment(request) }),
      ),
      answers: { 200: One(Customer) },
    },
    ({ found }) => ({ data: found }),
  ),
  route(
    {
      id: "showJourney",
      method: "GET",
      path: "/api/advertiser/affiliate-programs/:id/customers/:customerKey/journey",
      summary: "List what a customer did and what became of it, oldest first",
      description:
        "Clicks that lost say why. At most the newest 500 clicks and 200 sales are listed.",
      access: inProgram("commission:read", ({ program_id, request }) =>
        journeyOf(program_id, pathSegment(request, -2)),
      ),
      query: [Page],
      answers: { 200: Listed(JourneyStep) },
    },
    ({ found, page }) => {
      const { offset, limit } = sliceOf(page)
      return listOf(found.slice(offset, offset + limit), found.length, page)
    },
  ),
  route(
    {
      id: "eraseCustomer",
      method: "DELETE",
      path: "/api/advertiser/affiliate-programs/:id/customers/:customerKey",
      summary: "Erase the personal data of a customer. Sales and amounts are kept",
      access: inProgram("program:update", ({ program_id, request }) =>
        call(findCustomer, { program_id, customer_key: pathSegment(request) }),
      ),
      answers: { 200: One(Erased) },
    },
    ({ program, request }) => erase({ program_id: program.id, customer_key: pathSegment(request) }),
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
