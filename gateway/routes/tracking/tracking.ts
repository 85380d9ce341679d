import { Elysia } from "elysia"
import { Click, Lead, Refund, Sale } from "../../../services/tracking/contract"
import { ANYBODY, TOKEN_OR_NONE, TRACKING_TOKEN, writes } from "../../openapi/description"
import { ClickReply, postClick } from "./track-click"
import { LeadReply, postLead } from "./track-lead"
import { postRefund, RefundReply } from "./track-refund"
import { Duplicate, postSale, SaleReply } from "./track-sale"

/** The tracking endpoints, and their alias for earlier versions of the script (specification 9). */
export const tracking = new Elysia().use(under("/api/v1/track")).use(under("/api/tracking"))

function under(prefix: string) {
  return new Elysia({ prefix })
    .post(
      "/click",
      postClick,
      writes({
        id: "recordClick",
        summary: "Record a click",
        description:
          "`affiliate_url` must be there, except in test mode; its `aff` parameter names the link. " +
          "A token is only looked at in test mode, where it names the program.",
        by: ANYBODY,
        body: Click,
        answers: { 200: ClickReply },
      }),
    )
    .post(
      "/lead",
      postLead,
      writes({
        id: "recordLead",
        summary: "Record a lead",
        description: "Outside test mode `click_id` or `customer_key` must be there.",
        by: TOKEN_OR_NONE,
        body: Lead,
        answers: { 200: LeadReply },
      }),
    )
    .post(
      "/sale",
      postSale,
      writes({
        id: "recordSale",
        summary: "Record a sale, and the commission that it earns",
        description:
          "`customer_key` or `click_id` must name a customer. In test mode `transaction_id` and " +
          "`amount_cents` may be left out.",
        by: TRACKING_TOKEN,
        body: Sale,
        answers: { 200: SaleReply, 409: Duplicate, 500: "Commission creation failed: try again." },
      }),
    )
    .post(
      "/refund",
      postRefund,
      writes({
        id: "refundSale",
        summary: "Refund a sale, and take back what it earned",
        description:
          "`refund_amount_cents` 0, or none, is all of it. In test mode `transaction_id` may be " +
          "left out.",
        by: TRACKING_TOKEN,
        body: Refund,
        answers: { 200: RefundReply, 404: "The program has no sale of this transaction_id." },
      }),
    )
}
