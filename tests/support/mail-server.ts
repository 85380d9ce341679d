import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { type Mail, parseMail } from "./mail"

const WAIT_MS = 20_000

/** What the server does when a recipient is named: a refusal with this code, or silence. */
type Answer = number | "hangs"

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** Starts a mail server that keeps what it takes. `answers`: by recipient; others are accepted. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0) {
  const mails: Mail[] = []
  const answers = new Map<string, Answer>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    closeTimeout: 100,
    ...options,
    onRcptTo({ address }, _session, done) {
      const answer = answers.get(address)
      if (answer === "hangs") return
      if (answer === undefined) return done()
      done(Object.assign(new Error(`Not for ${address}`), { responseCode: answer }))
    },
    async onData(stream, { envelope }, done) {
      const source = await new Response(stream as never).text().catch(() => null)
      if (source === null) return // the client has hung up
      const to = envelope.rcptTo.map(({ address }) => address)
      mails.push({ to, ...parseMail(source) })
      done()
    },
  })
  server.on("error", () => {}) // clients may hang up
  await new Promise<void>(resolve => server.listen(port, "127.0.0.1", resolve))
  const { port: listening } = server.server.address() as { port: number }

  /** The mails to this address, once there are `count` of them. */
  async function mailsTo(address: string, count = 1): Promise<Mail[]> {
    const until = Date.now() + WAIT_MS
    for (;;) {
      const found = mails.filter(({ to }) => to.includes(address))
      if (found.length >= count) return found
      if (Date.now() > until) throw new Error(`${found.length} mails to ${address} came.`)
      await Bun.sleep(20)
    }
  }
  const stop = () => new Promise<void>(resolve => server.close(resolve))
  return { port: listening, mails, answers, mailsTo, stop }
}
