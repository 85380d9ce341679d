// npm install standardwebhooks
// WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
import { mkdir, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"

const { WEBHOOK_SECRET, PORT = 8080, INBOX = "inbox" } = process.env
const webhook = new Webhook(WEBHOOK_SECRET)
await mkdir(INBOX, { recursive: true })

async function receive(request) {
  if (!(request.headers["content-length"] <= 65_536)) return 413
  const body = await text(request)
  try {
    webhook.verify(body, request.headers) // one signature must match, at most 5 minutes old
  } catch {
    return 401
  }
  const file = `${INBOX}/${encodeURIComponent(request.headers["webhook-id"])}.json`
  await writeFile(file, body, { flag: "wx" }).catch(error => {
    if (error.code !== "EEXIST") throw error // it exists: a repeat, which is ignored
  })
  return 204
}

createServer(async (request, response) => {
  response.writeHead(await receive(request).catch(() => 500)).end()
}).listen(PORT)
