import { onePostback, postbacksOfPartner } from "../../http/postback-access"
import { postbackDeliveryRoutes } from "../../http/postback-delivery-routes"

/** What a postback for one partner has sent. */
export const partnerPostbackDeliveries = postbackDeliveryRoutes({
  name: "Partner",
  path: "/api/advertiser/affiliate-programs/:id/partners/:partnerId/postbacks/:postbackId",
  owner: "for one partner",
  reading: onePostback(postbacksOfPartner("program:read")),
  writing: onePostback(postbacksOfPartner("program:update")),
})
