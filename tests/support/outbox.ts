import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { parseMail } from "./mail"

const WAIT_MS = 20_000

type OutboxMail = { at_ms: number; to: string; subject: string; text: string; html: string }

const read = new Map<string, OutboxMail>() // by file, which never changes

/** The mails in a system's outbox to an address, newest first, once there are `count` of them. */
export async function mailsTo(data_dir: string, address: string, count = 1): Promise<OutboxMail[]> {
  const until = Date.now() + WAIT_MS
  for (;;) {
    const mails = await readOutbox(join(data_dir, "outbox"))
    const found = mails.filter(({ to }) => to === address)
    if (found.length >= count) return found.toSorted((one, other) => other.at_ms - one.at_ms)
    if (Date.now() > until) throw new Error(`${found.length} mails to ${address} are there.`)
    await Bun.sleep(50)
  }
}

/** The path of the page that stops mails like the one with this text. */
export function unsubscribePath(text: string): string {
  const [, path] = /https?:\/\/[^/\s]+(\/unsubscribe\/\S+)/.exec(text) ?? []
  return path!
}

async function readOutbox(folder: string): Promise<OutboxMail[]> {
  const names = await readdir(folder).catch(() => []) // there is none before the first mail
  return Promise.all(
    names.filter(name => name.endsWith(".eml")).map(name => readOnce(join(folder, name))),
  )
}

async function readOnce(file: string): Promise<OutboxMail> {
  const known = read.get(file)
  if (known) return known
  const [source, { mtimeMs: at_ms }] = await Promise.all([Bun.file(file).text(), stat(file)])
  const { headers, text, html } = parseMail(source)
  const mail = { at_ms, to: headers.get("to")!, subject: headers.get("subject")!, text, html }
  read.set(file, mail)
  return mail
}
