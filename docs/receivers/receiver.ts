// bun add standardwebhooks
// WEBHOOK_SECRET=whsec_… PORT=8080 bun receiver.ts
import { mkdir, writeFile } from "node:fs/promises"
import { Webhook } from "standardwebhooks"

const { WEBHOOK_SECRET, PORT = 8080, INBOX = "inbox" } = process.env
const webhook = new Webhook(WEBHOOK_SECRET!)
await mkdir(INBOX, { recursive: true })

async function receive(headers: Record<string, string>, body: string): Promise<number> {
  try {
    webhook.verify(body, headers) // one signature must match, at most 5 minutes old
  } catch {
    return 401
  }
  const file = `${INBOX}/${encodeURIComponent(headers["webhook-id"]!)}.json`
  await writeFile(file, body, { flag: "wx" }).catch(error => {
    if (error.code !== "EEXIST") throw error // it exists: a repeat, which is ignored
  })
  return 204
}

Bun.serve({
  port: PORT,
  maxRequestBodySize: 65_536,
  fetch: async request =>
    new Response(null, { status: await receive(request.headers.toJSON(), await request.text()) }),
})
