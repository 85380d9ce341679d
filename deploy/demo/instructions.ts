import type { Demo } from "./prepare-demo"

/** How to use the demo: who can sign in, and a funnel to paste. */
export const instructions = (
  { email, password, partner, program_id, api_token, link }: Demo,
  address: string,
) => `
Open that address in a browser and sign in:

  Advertiser ${email}
  Password   ${password}
${partner ? `\n  Partner    ${partner.email}\n  Password   ${partner.password}\n` : ""}
Try a whole funnel: a click, a lead, a sale and a refund. Paste this into another terminal:

  # program ${program_id}
  token=${api_token}
  customer=customer-$(date +%s) order=order-$(date +%s)
  post() {
    curl -sS ${address}/api/v1/track/$1 -w '\\n' -d "$2" \\
      -H "Authorization: Bearer $token" -H 'Content-Type: application/json'
  }

  click=$(post click '{"affiliate_url": "${link}"}' |
    sed 's/.*"click_id":"\\([^"]*\\)".*/\\1/')
  post lead '{"click_id": "'$click'", "customer_key": "'$customer'"}'
  post sale '{"customer_key": "'$customer'", "transaction_id": "'$order'", "amount_cents": 4999}'
  post refund '{"transaction_id": "'$order'"}'
`
