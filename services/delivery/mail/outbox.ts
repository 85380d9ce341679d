import { mkdir, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { config } from "../../../lib/config"
import { compose, type Message } from "./mail-server"

/** Where mails go: to a mail server, or else into a folder. Null: nowhere, so that they wait. */
export function mailTarget(): { server: URL } | { folder: string } | null {
  const { mail, data_dir } = config
  if (mail.smtp_url) return { server: mail.smtp_url }
  return data_dir === null ? null : { folder: join(data_dir, "outbox") }
}

/** Writes a message into the outbox. Only the owner of the folder can read it. */
export async function writeToOutbox(message: Message, folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${message.id}.eml`)
  const whole = `${file}.${crypto.randomUUID()}`
  await writeFile(whole, await compose(message), { mode: 0o600 })
  await rename(whole, file)
}
