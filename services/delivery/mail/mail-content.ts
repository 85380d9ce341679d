import { parse } from "../../../lib/bus/operation"
import { config } from "../../../lib/config"
import { openMail } from "../../../lib/outgoing-mails"
import { Mail } from "./contract"
import { type FilledMail, fillTemplate, type Values } from "./fill-template"
import { TEMPLATES } from "./templates"

/** `unsubscribe_url` null: the mail is not one that a person can turn off. */
export type OpenedMail = FilledMail & { to: string; unsubscribe_url: string | null }

/** Opens a sealed mail and fills its template. Throws if no key opens it. */
export async function openAndFill(id: string, sealed: string): Promise<OpenedMail> {
  const mail = parse(Mail, await openMail(id, sealed))
  const { to, template } = mail
  const unsubscribe_url =
    "unsubscribe_token" in mail.values
      ? `${publicUrl()}/unsubscribe/${encodeURIComponent(mail.values.unsubscribe_token)}`
      : null
  const filled = fillTemplate(TEMPLATES[template], {
    ...shownValuesOf(mail),
    ...(unsubscribe_url && { unsubscribe_url }),
  })
  return { to, unsubscribe_url, ...filled }
}

/** What a template may show: links instead of tokens, and days instead of times. */
function shownValuesOf({ values }: Mail): Values {
  if (!("token" in values)) return { ...values, link: `${publicUrl()}/` }
  const { token, expires_at, ...rest } = values
  const link = `${publicUrl()}/invitation?token=${encodeURIComponent(token)}`
  return { ...rest, link, expires_at: dayOf(expires_at) }
}

/** Links never follow a request, whose sender could choose where a mail leads. */
const publicUrl = () => config.public_url ?? `http://localhost:${config.port}`

const dayOf = (time: string) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(time))
