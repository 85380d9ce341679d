import { Page } from "../../../lib/fields"
import { NewPostback, Postback, PostbackChanges } from "../../../services/delivery/contract"
import { Listed } from "../../http/list"
import { onePostback, postbacksOfPartner } from "../../http/postback-access"
import { postbackHandlers } from "../../http/postback-handlers"
import { One, route } from "../../http/route"

const PATH = "/api/advertiser/affiliate-programs/:id/partners/:partnerId/postbacks"

/** What a program sends to a partner's tracker, set up by the advertiser (behaviour 12.5.1). */
export const partnerPostbacks = [
  route(
    {
      id: "createPartnerPostback",
      method: "POST",
      path: PATH,
      summary: "Create a postback of a program, for one partner",
      access: postbacksOfPartner("program:update"),
      changesProgram: true,
      body: NewPostback,
      answers: {
        201: One(Postback),
        409: "The partner has as many postbacks as it may, or the program is archived.",
      },
    },
    postbackHandlers.create,
  ),
  route(
    {
      id: "listPartnerPostbacks",
      method: "GET",
      path: PATH,
      summary: "List the postbacks of a program, for one partner",
      access: postbacksOfPartner("program:read"),
      query: [Page],
      answers: { 200: Listed(Postback) },
    },
    postbackHandlers.list,
  ),
  route(
    {
      id: "showPartnerPostback",
      method: "GET",
      path: `${PATH}/:postbackId`,
      summary: "Show a postback of a program, for one partner",
      access: onePostback(postbacksOfPartner("program:read")),
      answers: { 200: One(Postback) },
    },
    postbackHandlers.show,
  ),
  route(
    {
      id: "updatePartnerPostback",
      method: "PUT",
      path: `${PATH}/:postbackId`,
      summary: "Change a postback of a program, for one partner",
      access: onePostback(postbacksOfPartner("program:update")),
      changesProgram: true,
      body: PostbackChanges,
      answers: { 200: One(Postback) },
    },
    postbackHandlers.update,
  ),
  route(
    {
      id: "deletePartnerPostback",
      method: "DELETE",
      path: `${PATH}/:postbackId`,
      summary: "Delete a postback of a program, for one partner",
      access: onePostback(postbacksOfPartner("program:update")),
      answers: { 200: One(Postback) },
    },
    postbackHandlers.delete,
  ),
]
