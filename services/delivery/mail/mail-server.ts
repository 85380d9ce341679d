import { createTransport } from "nodemailer"
import { config } from "../../../lib/config"
import type { OpenedMail } from "./mail-content"

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 20_000
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const FROM_WITHOUT_SERVER = { name: "Tributary", address: "tributary@localhost" }

/** A mail with its id and its time, as it is sent. */
export type Message = OpenedMail & { id: string; created_at: string }

/** Hands a message to the mail server. Throws if the server does not take it. */
export async function sendToServer(message: Message, url: URL) {
  server ??= connectTo(url)
  await server.sendMail(fieldsOf(message))
}
let server: ReturnType<typeof connectTo> | undefined

/** Returns a message as bytes, for a file. */
export async function compose(message: Message): Promise<Uint8Array> {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" })
  const { message: bytes } = await composer.sendMail(fieldsOf(message))
  return bytes as Buffer
}

/** A connection for each mail: one that hangs holds up no other. */
function connectTo({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === "smtps:"
  const isSigningIn = username !== ""
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: isSigningIn && !LOOPBACK.test(hostname), // a password never travels in the clear
    ...(isSigningIn && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** The recipient stands alone in the envelope, whatever the header would be read as. */
function fieldsOf({ id, to, subject, text, html, created_at, unsubscribe_url }: Message) {
  const from = config.mail.from ?? FROM_WITHOUT_SERVER
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1)
  return {
    messageId: `<${id}@${domain}>`,
    date: new Date(created_at),
    from,
    to: { name: "", address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    text,
    html,
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(unsubscribe_url && {
        "List-Unsubscribe": `<${unsubscribe_url}>`, // RFC 8058
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
    },
  }
}
