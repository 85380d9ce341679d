import type { Draft, Vocabulary } from "./postback"

export type Preview = {
  url: string
  body: string | null
  /** What stands in braces and is no macro. */
  unknown: string[]
}

const MACRO = /\{([A-Za-z_]\w*)(?::([^{}"]*))?\}/g
/** A JSON string, with the colon that makes it a key, or a macro outside strings. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\{[A-Za-z_]\w*(?::[^{}"]*)?\}/gs

/** What Affise's status is, by ours. */
const AFFISE_CODES: Record<string, string> = {
  approved: "1",
  paid: "1",
  pending: "2",
  rejected: "3",
  reversed: "3",
  held: "5",
}

/** What a draft sends with these values, filled as the server fills it (behaviour 12.5.2). */
export function previewOf(
  draft: Draft,
  vocabulary: Vocabulary,
  values: Record<string, string>,
): Preview {
  const { url, body, dialect } = draft
  const macros = macrosOf(vocabulary, dialect)
  const unknown = new Set<string>()

  const textOf = (macro: string, map: string | undefined) => {
    const value = values[macro] ?? ""
    if (map !== undefined) return mapped(map, value)
    return macro === "status" && dialect === "affise" ? (AFFISE_CODES[value] ?? "") : value
  }
  const fill = (text: string, encode: (value: string) => string) =>
    text.replace(MACRO, (written, name: string, map?: string) => {
      const macro = macros.get(name)
      if (macro === undefined) unknown.add(written)
      return macro === undefined ? written : encode(textOf(macro, map))
    })
  const fillJson = (template: string) =>
    template.replace(TOKEN, (token: string, string?: string, colon?: string) => {
      if (colon !== undefined) return token
      return fill(token, string === undefined ? value => value || "null" : jsonEncode)
    })

  return {
    url: normalized(fill(url, percentEncode)),
    body: body && (body.type === "json" ? fillJson : formOf(fill))(body.template),
    unknown: [...unknown],
  }
}

/** The macro that each name means in a dialect. */
function macrosOf({ macros, dialects }: Vocabulary, dialect: string): Map<string, string> {
  const differences = dialects.find(({ name }) => name === dialect)?.differences ?? []
  return new Map([
    ...macros.flatMap(({ name, aliases }) =>
      [name, ...aliases].map((each): [string, string] => [each, name]),
    ),
    ...differences.map(({ name, macro }): [string, string] => [name, macro]),
  ])
}

/** The text that a map like `approved=1,rejected=2` has for a value. */
function mapped(map: string, value: string): string {
  const entries = map.trim().split(/[\s,]+/)
  return new Map(entries.map(entry => entry.split("=") as [string, string])).get(value) ?? ""
}

const formOf =
  (fill: (text: string, encode: (value: string) => string) => string) => (template: string) =>
    fill(template, percentEncode)

/** All but the unreserved characters of RFC 3986 are encoded. */
const percentEncode = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const jsonEncode = (value: string): string => JSON.stringify(value.toWellFormed()).slice(1, -1)

/** As it is sent, or, while it is no URL yet, as it was typed. A segment of dots is sent empty. */
function normalized(url: string): string {
  const [, origin, path, rest] = /^(\w+:\/\/[^/?#]+)([^?#]*)(.*)$/.exec(url) ?? []
  if (origin === undefined) return url
  const segments = path!
    .split("/")
    .map(segment => (/^(\.|%2e){1,2}$/i.test(segment) ? "" : segment))
  const whole = origin + segments.join("/") + rest
  return URL.canParse(whole) ? new URL(whole).href : url
}
