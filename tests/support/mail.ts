export type Mail = {
  to: string[] // of the envelope
  headers: Map<string, string> // by lower case name
  text: string
  html: string
  source: string
}

/** Reads a mail with two alternatives, plain text and HTML. */
export function parseMail(source: string): Omit<Mail, "to"> {
  const { headers, body } = splitHead(source)
  const [, boundary] = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "") ?? []
  const parts = body.split(`--${boundary}`).map(part => splitHead(part.replace(/^\r?\n/, "")))
  const partOf = (type: string) => {
    const part = parts.find(({ headers }) => headers.get("content-type")?.startsWith(type))
    return part ? decode(part.body, part.headers.get("content-transfer-encoding")) : ""
  }
  return { headers, text: partOf("text/plain"), html: partOf("text/html"), source }
}

function splitHead(text: string) {
  const [head = "", ...rest] = text.split(/\r?\n\r?\n/)
  const lines = head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)
  const headers = new Map(
    lines.map(line => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  )
  return { headers, body: rest.join("\n\n") }
}

function decode(body: string, encoding = "7bit"): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString()
  if (encoding !== "quoted-printable") return body.replace(/\r/g, "")
  const bytes = body.replace(/=\r?\n/g, "").replace(/\r/g, "")
  const raw = bytes.replace(/=([0-9A-F]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(raw, "latin1").toString()
}
