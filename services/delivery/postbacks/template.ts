import type { Dialect } from "./aliases"
import { fillForm, findFormProblem } from "./form-template"
import { fillJson, findJsonProblem } from "./json-template"
import type { PostbackValues } from "./postback-values"
import { fillUrl, findUrlProblem } from "./url-template"

/** What a postback sends, before an event fills it. */
export type Template = {
  url: string
  method: "GET" | "POST"
  body?: { type: "form" | "json"; template: string }
  dialect: Dialect
}

export type FilledTemplate = {
  url: string
  /** Null: the request has no body. */
  body: { content_type: string; text: string } | null
}

const URL_MAX_LENGTH = 2_048
const BODY_MAX_LENGTH = 8_192

/** The sentence that says what is wrong with a template, or null (behaviour 12.5.2). */
export function checkTemplate({ url, method, body, dialect }: Template): string | null {
  if (url.length > URL_MAX_LENGTH) return `url must have at most ${URL_MAX_LENGTH} characters.`
  const urlProblem = findUrlProblem(url, dialect)
  if (urlProblem !== null) return `url ${urlProblem}`
  if (body === undefined) return null

  if (method === "GET") return "body must be absent if method is GET."
  if (body.template.length > BODY_MAX_LENGTH) {
    return `body.template must have at most ${BODY_MAX_LENGTH} characters.`
  }
  const bodyProblem = BODIES[body.type].findProblem(body.template, dialect)
  return bodyProblem === null ? null : `body.template ${bodyProblem}`
}

/** Fills a template that `checkTemplate` accepted, with the values of one event. */
export function fillTemplate(
  { url, body, dialect }: Template,
  values: PostbackValues,
): FilledTemplate {
  return {
    url: fillUrl(url, dialect, values),
    body: body
      ? {
          content_type: BODIES[body.type].content_type,
          text: BODIES[body.type].fill(body.template, dialect, values),
        }
      : null,
  }
}

const BODIES = {
  form: {
    content_type: "application/x-www-form-urlencoded",
    findProblem: findFormProblem,
    fill: fillForm,
  },
  json: { content_type: "application/json", findProblem: findJsonProblem, fill: fillJson },
}
