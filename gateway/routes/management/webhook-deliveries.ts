import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import { currentContext, withContext } from "../../../lib/request-context"
import { FIRST_TIME, LAST_TIME, parseTime } from "../../../lib/time"
import {
  Delivery,
  DeliveryDetails,
  DeliveryQuery,
  listDeliveries,
  Queued,
  Replay,
  replayDeliveries,
  replayDelivery,
  showDelivery,
  Test,
  TestResult,
  testEndpoint,
} from "../../../services/delivery/contract"
import { Listed, listOf, wholePage } from "../../http/list"
import { pathId } from "../../http/query"
import { One, route } from "../../http/route"
import { oneEndpoint, PATH } from "./webhook-endpoints"

const TEST_MS = 18_000 // the receiver has 15 s
const REPLAY_MS = 4_000 // of up to 50,000 deliveries

/** A delivery of the path's endpoint. */
const oneDelivery = {
  ...oneEndpoint,
  async authorize(request: Request, params: Record<string, string>) {
    const { target } = await oneEndpoint.authorize(request, params)
    const delivery = { ...target, delivery_id: pathId(params.deliveryId) }
    return { target: delivery, delivery: await call(showDelivery, delivery) }
  },
}

/** What was sent to an endpoint, and sending it again (behaviour 12.4.4, 12.4.5). */
export const webhookDeliveries = [
  route(
    {
      id: "testWebhookEndpoint",
      method: "POST",
      path: `${PATH}/:id/test`,
      summary: "Send a sample to a webhook endpoint, once, at once",
      description: "The reply comes when the receiver has answered, or after 15 seconds.",
      access: oneEndpoint,
      body: Test,
      mayOmitBody: true,
      answers: { 200: One(TestResult), 409: "The endpoint has no secret." },
    },
    async ({ target, body }) => {
      const patient = { ...currentContext(), deadline: Date.now() + TEST_MS }
      const test = () => call(testEndpoint, { ...target, ...body }, TEST_MS)
      return { data: await withContext(patient, test) }
    },
  ),
  route(
    {
      id: "listWebhookDeliveries",
      method: "GET",
      path: `${PATH}/:id/deliveries`,
      summary: "List the deliveries of a webhook endpoint, newest first",
      access: oneEndpoint,
      query: [DeliveryQuery, Page],
      answers: { 200: Listed(Delivery) },
    },
    async ({ target, query: { since, until, ...query }, page }) => {
      const from = since ? parseTime("since", since, "first") : FIRST_TIME
      const to = until ? parseTime("until", until, "last") : LAST_TIME
      const { rows, total } = await wholePage(page, slice =>
        call(listDeliveries, { ...target, ...query, from, to, slice }),
      )
      return listOf(rows, total, page)
    },
  ),
  route(
    {
      id: "showWebhookDelivery",
      method: "GET",
      path: `${PATH}/:id/deliveries/:deliveryId`,
      summary: "Show a delivery with the body and the signatures that were sent",
      access: oneDelivery,
      answers: { 200: One(DeliveryDetails) },
    },
    ({ delivery }) => ({ data: delivery }),
  ),
  route(
    {
      id: "replayWebhookDelivery",
      method: "POST",
      path: `${PATH}/:id/deliveries/:deliveryId/replay`,
      summary: "Send a delivery again",
      access: oneDelivery,
      answers: {
        200: One(Queued),
        409: "The endpoint is disabled or does not subscribe to the event any more.",
      },
    },
    async ({ target }) => ({ data: await call(replayDelivery, target) }),
  ),
  route(
    {
      id: "replayWebhookDeliveries",
      method: "POST",
      path: `${PATH}/:id/replay`,
      summary: "Send the deliveries of a time again: those that failed or were skipped, or all",
      access: oneEndpoint,
      body: Replay,
      answers: {
        200: One(Queued),
        409: "The endpoint is disabled, or there are more than 50,000 deliveries.",
      },
    },
    async ({ target, body }) => ({
      data: await call(replayDeliveries, { ...target, ...body }, REPLAY_MS),
    }),
  ),
]
