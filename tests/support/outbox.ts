import { send } from "./world"

const WAIT_MS = 20_000

type OutboxMail = {
  id: string
  at: string
  to: string
  subject: string
  text: string
  html: string
}

/** The mails in the outbox to an address, newest first, once there are `count` of them. */
export async function outboxTo(address: string, count = 1): Promise<OutboxMail[]> {
  const until = Date.now() + WAIT_MS
  for (;;) {
    const { body } = await send("GET", "/dev/outbox")
    const found = body.data.filter(({ to }: OutboxMail) => to === address)
    if (found.length >= count) return found
    if (Date.now() > until) throw new Error(`${found.length} mails to ${address} are there.`)
    await Bun.sleep(50)
  }
}
