import { Elysia } from "elysia"
import { UNREAD } from "./body"
import { postClick } from "./track-click"
import { postLead } from "./track-lead"
import { postRefund } from "./track-refund"
import { postSale } from "./track-sale"

/** The tracking endpoints, and their alias for earlier versions of the script (specification 9). */
export const tracking = new Elysia().use(under("/api/v1/track")).use(under("/api/tracking"))

function under(prefix: string) {
  return new Elysia({ prefix })
    .post("/click", postClick, UNREAD)
    .post("/lead", postLead, UNREAD)
    .post("/sale", postSale, UNREAD)
    .post("/refund", postRefund, UNREAD)
}
