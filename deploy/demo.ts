import type { DataDir } from "./data-dir"
import { randomText } from "./data-dir"

type Account = { email: string; password: string }
type Demo = Account & { program_id: number; api_token: string; link: string }

/**
 * Creates the demo in a new database: an account, a program and a partner's link, kept in
 * DATA_DIR/demo.json. Returns how to use it, as text to print. Null: the database is older, and has
 * no demo.
 */
export async function prepareDemo(dataDir: DataDir, isNew: boolean, address: string) {
  if (isNew) store(dataDir, { email: "demo@example.com", password: randomText().slice(0, 16) })
  if (!dataDir.has("demo.json")) return null

  const stored: Account | Demo = JSON.parse(dataDir.read("demo.json"))
  const demo = "link" in stored ? stored : await create(stored, address)
  store(dataDir, demo)
  return instructions(demo, address)
}

const store = (dataDir: DataDir, demo: Account | Demo) =>
  dataDir.write("demo.json", `${JSON.stringify(demo)}\n`)

/** Signs in if the account exists: an earlier start may have been interrupted. */
async function create(account: Account, address: string): Promise<Demo> {
  const { token } = await post(address, "/api/auth/sign-up", "", {
    ...account,
    name: "Demo",
  }).catch(() => post(address, "/api/auth/sign-in", "", account))

  const programs = "/api/advertiser/affiliate-programs"
  const program = { name: "Demo program", website_url: "https://shop.example.com" }
  const { id, api_token } = await post(address, programs, token, program)
  await post(address, `${programs}/${id}/go-live`, token)

  const partner = { email: "partner@example.com", name: "Demo partner" }
  const { links } = await post(address, `${programs}/${id}/partners`, token, partner)
  return { ...account, program_id: id, api_token, link: links[0].url }
}

async function post(address: string, path: string, token: string, body?: object) {
  const response = await fetch(`${address}${path}`, {
    method: "POST",
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  })
  const { data, error } = (await response.json()) as { data: any; error: string } // any: it varies by path
  if (!response.ok) throw new Error(`Could not create the demo: POST ${path} failed: "${error}"`)
  return data
}

const instructions = ({ email, password, program_id, api_token, link }: Demo, address: string) => `
  Sign in    ${email}
  Password   ${password}
  Program    ${program_id}
  Token      ${api_token}
  Link       ${link}

Try a whole funnel: a click, a lead, a sale and a refund. Paste this into another terminal:

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
