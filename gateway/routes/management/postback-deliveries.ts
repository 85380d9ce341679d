import { onePostback, postbacksOfProgram } from "../../http/postback-access"
import { postbackDeliveryRoutes } from "../../http/postback-delivery-routes"

/** What a postback of a program has sent. */
export const programPostbackDeliveries = postbackDeliveryRoutes({
  name: "Program",
  path: "/api/advertiser/affiliate-programs/:id/postbacks/:postbackId",
  owner: "of a program",
  reading: onePostback(postbacksOfProgram("program:read")),
  writing: onePostback(postbacksOfProgram("program:update")),
})
