import { Page } from "../../../lib/fields"
import { NewOwnPostback, OwnPostbackChanges, Postback } from "../../../services/delivery/contract"
import { Listed } from "../../http/list"
import { onePostback, ownPostbacks, ownPostbacksWriting } from "../../http/postback-access"
import { postbackHandlers } from "../../http/postback-handlers"
import { One, route } from "../../http/route"

const PATH = "/api/partner/postbacks"

/** What is sent to a partner's tracker, set up by the partner (behaviour 12.5.1). */
export const ownPostbackRoutes = [
  route(
    {
      id: "createOwnPostback",
      method: "POST",
      path: PATH,
      summary: "Create a postback of a partner",
      access: ownPostbacksWriting,
      body: NewOwnPostback,
      answers: { 201: One(Postback), 409: "You have as many postbacks as you may." },
    },
    postbackHandlers.create,
  ),
  route(
    {
      id: "listOwnPostbacks",
      method: "GET",
      path: PATH,
      summary: "List the postbacks of a partner",
      access: ownPostbacks,
      query: [Page],
      answers: { 200: Listed(Postback) },
    },
    postbackHandlers.list,
  ),
  route(
    {
      id: "showOwnPostback",
      method: "GET",
      path: `${PATH}/:postbackId`,
      summary: "Show a postback of a partner",
      access: onePostback(ownPostbacks),
      answers: { 200: One(Postback) },
    },
    postbackHandlers.show,
  ),
  route(
    {
      id: "updateOwnPostback",
      method: "PUT",
      path: `${PATH}/:postbackId`,
      summary: "Change a postback of a partner",
      access: onePostback(ownPostbacksWriting),
      body: OwnPostbackChanges,
      answers: { 200: One(Postback) },
    },
    postbackHandlers.update,
  ),
  route(
    {
      id: "deleteOwnPostback",
      method: "DELETE",
      path: `${PATH}/:postbackId`,
      summary: "Delete a postback of a partner",
      access: onePostback(ownPostbacksWriting),
      answers: { 200: One(Postback) },
    },
    postbackHandlers.delete,
  ),
]
