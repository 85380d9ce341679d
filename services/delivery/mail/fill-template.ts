import type { Template } from "./templates"

export type Values = Record<string, string>
export type FilledMail = { subject: string; text: string; html: string }

/**
 * Fills a template. What a value contains stays text: in HTML it is escaped, and it can add neither
 * lines nor placeholders. Throws if the template names a value that is missing.
 */
export function fillTemplate({ subject, body }: Template, values: Values): FilledMail {
  const paragraphs = body
    .trim()
    .split(/\n{2,}/)
    .map(joinLines)
  return {
    subject: fill(subject, values, asText),
    text: `${paragraphs.map(paragraph => textOf(paragraph, values)).join("\n\n")}\n`,
    html: documentOf(
      fill(subject, values, asHtml),
      paragraphs.map(paragraph => htmlOf(paragraph, values)),
    ),
  }
}

const joinLines = (paragraph: string) => paragraph.replaceAll("\n", " ")

const LIST = "{{items}}"
const itemsOf = (values: Values) => namedValue("items", values).split("\n")

const LINK = /^\[([^\]]+)\]\(\{\{(\w+)\}\}\)$/

function textOf(paragraph: string, values: Values): string {
  if (paragraph === LIST) {
    return itemsOf(values)
      .map(item => `- ${asText(item)}`)
      .join("\n")
  }
  const [, label, name] = LINK.exec(paragraph) ?? []
  if (!label || !name) return fill(paragraph, values, asText)
  return `${fill(label, values, asText)}:\n${namedValue(name, values)}`
}

function htmlOf(paragraph: string, values: Values): string {
  if (paragraph === LIST) {
    const items = itemsOf(values).map(item => `<li>${asHtml(item)}</li>`)
    return `<ul>${items.join("")}</ul>`
  }
  const [, label, name] = LINK.exec(paragraph) ?? []
  if (!label || !name) return `<p>${fill(escaped(paragraph), values, asHtml)}</p>`
  const address = asHtml(namedValue(name, values))
  return `<p><a href="${address}">${fill(escaped(label), values, asHtml)}</a></p>`
}

const fill = (text: string, values: Values, as: (value: string) => string) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name) => as(namedValue(name, values)))

function namedValue(name: string, values: Values): string {
  if (Object.hasOwn(values, name)) return values[name] as string
  throw new Error(`A template of mails has no value for ${name}.`)
}

/** Line breaks and characters that turn the direction of text could pose as the template's words. */
const asText = (value: string) => value.replace(BREAKING, " ").trim()
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu
const asHtml = (value: string) => escaped(asText(value))
const escaped = (text: string) => Bun.escapeHTML(text)

const documentOf = (title: string, paragraphs: string[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
</head>
<body style="max-width: 34em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif">
${paragraphs.join("\n")}
</body>
</html>
`
