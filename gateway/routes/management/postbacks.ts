import { Page } from "../../../lib/fields"
import { NewPostback, Postback, PostbackChanges } from "../../../services/delivery/contract"
import { Listed } from "../../http/list"
import { onePostback, postbacksOfProgram } from "../../http/postback-access"
import { postbackHandlers } from "../../http/postback-handlers"
import { One, route } from "../../http/route"

const PATH = "/api/advertiser/affiliate-programs/:id/postbacks"

/** What a program sends to the advertiser's own tracker, for all partners (behaviour 12.5.1). */
export const programPostbacks = [
  route(
    {
      id: "createProgramPostback",
      method: "POST",
      path: PATH,
      summary: "Create a postback of a program, for all its partners",
      access: postbacksOfProgram("program:update"),
      changesProgram: true,
      body: NewPostback,
      answers: {
        201: One(Postback),
        409: "The program has as many postbacks as it may, or the program is archived.",
      },
    },
    postbackHandlers.create,
  ),
  route(
    {
      id: "listProgramPostbacks",
      method: "GET",
      path: PATH,
      summary: "List the postbacks of a program, for all its partners",
      access: postbacksOfProgram("program:read"),
      query: [Page],
      answers: { 200: Listed(Postback) },
    },
    postbackHandlers.list,
  ),
  route(
    {
      id: "showProgramPostback",
      method: "GET",
      path: `${PATH}/:postbackId`,
      summary: "Show a postback of a program, for all its partners",
      access: onePostback(postbacksOfProgram("program:read")),
      answers: { 200: One(Postback) },
    },
    postbackHandlers.show,
  ),
  route(
    {
      id: "updateProgramPostback",
      method: "PUT",
      path: `${PATH}/:postbackId`,
      summary: "Change a postback of a program, for all its partners",
      access: onePostback(postbacksOfProgram("program:update")),
      changesProgram: true,
      body: PostbackChanges,
      answers: { 200: One(Postback) },
    },
    postbackHandlers.update,
  ),
  route(
    {
      id: "deleteProgramPostback",
      method: "DELETE",
      path: `${PATH}/:postbackId`,
      summary: "Delete a postback of a program, for all its partners",
      access: onePostback(postbacksOfProgram("program:update")),
      answers: { 200: One(Postback) },
    },
    postbackHandlers.delete,
  ),
]
