import { onePostback, ownPostbacks, ownPostbacksWriting } from "../../http/postback-access"
import { postbackDeliveryRoutes } from "../../http/postback-delivery-routes"

/** What a postback of a partner's own has sent. */
export const ownPostbackDeliveries = postbackDeliveryRoutes({
  name: "Own",
  path: "/api/partner/postbacks/:postbackId",
  owner: "of a partner",
  reading: onePostback(ownPostbacks),
  writing: onePostback(ownPostbacksWriting),
})
