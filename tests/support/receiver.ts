/** Where webhooks may be sent in tests: an address of this machine at which nothing listens. */
export const RECEIVER = "https://127.66.0.1/hooks"

/** A postback to that address. */
export const TRACKER = "https://127.66.0.1/postback?cid={partner_click_id}&payout={payout}"
