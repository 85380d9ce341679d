import type { NoticeKind } from "../../identity/contract"
import type { Mail } from "../contract"
import { SUBJECTS } from "./notice-texts"

const LISTED_MAX = 100

export type MailedNotice = { kind: NoticeKind; program: string | null; message: string }

/** The mail with these notices: a single one says what happened in its subject. */
export function noticeMailOf(
  notices: MailedNotice[],
  { email: to, token }: { email: string; token: string },
): Mail {
  const [first] = notices
  if (first && notices.length === 1) {
    const values = { subject: subjectOf(first), message: first.message, unsubscribe_token: token }
    return { template: "notice", to, values }
  }
  const listed = notices.slice(0, LISTED_MAX).map(lineOf)
  const more = notices.length - listed.length
  const items = (more > 0 ? [...listed, `And ${more} more.`] : listed).join("\n")
  return {
    template: "digest",
    to,
    values: { count: `${notices.length}`, items, unsubscribe_token: token },
  }
}

const subjectOf = ({ program, kind }: MailedNotice) => withProgram(program, SUBJECTS[kind])

/** In one line, also if the reason in it has several. */
const lineOf = ({ program, message }: MailedNotice) =>
  withProgram(program, message).replace(/\s+/g, " ")

const withProgram = (program: string | null, text: string) =>
  program === null ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : `${program}: ${text}`
