import { Page } from "../../../lib/fields"
import {
  PostbackDelivery,
  PostbackDeliveryDetails,
  PostbackDeliveryQuery,
  PostbackReplay,
  PostbackTest,
  Queued,
  TestResult,
} from "../../../services/delivery/contract"
import { Listed } from "../../http/list"
import {
  oneDelivery,
  onePostback,
  ownPostbacks,
  ownPostbacksWriting,
} from "../../http/postback-access"
import { postbackDeliveryHandlers } from "../../http/postback-delivery-handlers"
import { One, route } from "../../http/route"

const PATH = "/api/partner/postbacks/:postbackId"
const reading = onePostback(ownPostbacks)
const writing = onePostback(ownPostbacksWriting)

/** What a postback of a partner's own has sent, and sending it again (behaviour 12.4.4, 12.4.5). */
export const ownPostbackDeliveries = [
  route(
    {
      id: "testOwnPostback",
      method: "POST",
      path: `${PATH}/test`,
      summary: "Send a sample by a postback of a partner, once, at once",
      description: "The reply comes when the receiver has answered, or after 15 seconds.",
      access: writing,
      body: PostbackTest,
      mayOmitBody: true,
      answers: { 200: One(TestResult) },
    },
    postbackDeliveryHandlers.test,
  ),
  route(
    {
      id: "listOwnPostbackDeliveries",
      method: "GET",
      path: `${PATH}/deliveries`,
      summary: "List the deliveries of a postback of a partner, newest first",
      access: reading,
      query: [PostbackDeliveryQuery, Page],
      answers: { 200: Listed(PostbackDelivery) },
    },
    postbackDeliveryHandlers.list,
  ),
  route(
    {
      id: "showOwnPostbackDelivery",
      method: "GET",
      path: `${PATH}/deliveries/:deliveryId`,
      summary: "Show a delivery of a postback of a partner, with its request",
      access: oneDelivery(reading),
      answers: { 200: One(PostbackDeliveryDetails) },
    },
    postbackDeliveryHandlers.show,
  ),
  route(
    {
      id: "replayOwnPostbackDelivery",
      method: "POST",
      path: `${PATH}/deliveries/:deliveryId/replay`,
      summary: "Send a delivery of a postback of a partner again",
      access: oneDelivery(writing),
      answers: {
        200: One(Queued),
        409: "The postback is disabled, or not sent for such events any more.",
      },
    },
    postbackDeliveryHandlers.replayOne,
  ),
  route(
    {
      id: "replayOwnPostback",
      method: "POST",
      path: `${PATH}/replay`,
      summary:
        "Send the deliveries of a postback of a partner again: those that failed or were skipped, or all",
      access: writing,
      body: PostbackReplay,
      answers: {
        200: One(Queued),
        409: "The postback is disabled, or there are more than 50,000 deliveries.",
      },
    },
    postbackDeliveryHandlers.replay,
  ),
]
