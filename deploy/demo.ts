import type { DataDir } from "./data-dir"
import { randomText } from "./data-dir"

type Account = { email: string; password: string }
type Demo = Account & { program_id: number; api_token: string; link: string }

/**
 * What a newcomer needs to see a click become a commission: an account, a program and a partner's
 * link, made through the API when the database is new and kept in DATA_DIR/demo.json.
 * Null where the database was there before.
 */
export async function showDemo(data_dir: DataDir, is_new: boolean, address: string) {
  if (is_new) keep(data_dir, { email: "demo@example.com", password: randomText().slice(0, 16) })
  if (!data_dir.has("demo.json")) return null

  const kept: Account | Demo = JSON.parse(data_dir.read("demo.json"))
  const demo = "link" in kept ? kept : await create(kept, address)
  keep(data_dir, demo)
  return page(demo, address)
}

const keep = (data_dir: DataDir, demo: Account | Demo) =>
  data_dir.write("demo.json", `${JSON.stringify(demo)}\n`)

/** Goes on where an interrupted start left off: the account may exist already. */
async function create(account: Account, address: string): Promise<Demo> {
  const { token } = await post(address, "/api/auth/sign-up", "", {
    ...account,
    name: "Demo",
  }).catch(() => post(address, "/api/auth/sign-in", "", account))

  const programs = "/api/advertiser/affiliate-programs"
  const wanted = { name: "Demo program", website_url: "https://shop.example.com" }
  const { id, api_token } = await post(address, programs, token, wanted)
  await post(address, `${programs}/${id}/go-live`, token)

  const someone = { email: "partner@example.com", name: "Demo partner" }
  const { links } = await post(address, `${programs}/${id}/partners`, token, someone)
  return { ...account, program_id: id, api_token, link: links[0].url }
}

async function post(address: string, path: string, token: string, body?: object) {
  const answer = await fetch(`${address}${path}`, {
    method: "POST",
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  })
  const { data, error } = await answer.json()
  if (!answer.ok) throw new Error(`The demo was not made: POST ${path} answered "${error}"`)
  return data
}

const page = ({ email, password, program_id, api_token, link }: Demo, address: string) => `
  Sign in    ${email}
  Password   ${password}
  Program    ${program_id}
  Token      ${api_token}
  Link       ${link}

A click, the lead and the sale that come of it, and a refund. Paste this into another terminal:

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
