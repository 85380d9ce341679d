const FORMULA = /^[=+\-@\t\r\n]/ // to a spreadsheet

/** Whether the request would rather have CSV than JSON. */
export function prefersCsv({ headers }: Request): boolean {
  const accept = headers.get("accept") ?? ""
  return quality(accept, "text/csv") > quality(accept, "application/json")
}

/** The names of the columns, as the first line. */
export const headOf = (columns: string[]): string => lineOf(columns)

/** A line for each row (RFC 4180). Absent is empty, and a text is never a formula. */
export const linesOf = (columns: string[], rows: Record<string, unknown>[]): string =>
  rows.map(row => lineOf(columns.map(column => row[column]))).join("")

const lineOf = (values: unknown[]): string => `${values.map(cell).join(",")}\r\n`

function cell(value: unknown): string {
  const text = textOf(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string") return String(value)
  return FORMULA.test(value) ? `'${value}` : value
}

/** How much a type is wanted by name (RFC 9110): 0, where it is not named. */
function quality(accept: string, type: string): number {
  const named = accept
    .split(",")
    .map(part => part.split(";").map(text => text.trim().toLowerCase()))
  const [, ...parameters] = named.find(([name]) => name === type) ?? ["", "q=0"]
  const q = parameters.find(parameter => parameter.startsWith("q="))
  return q === undefined ? 1 : Number(q.slice(2)) || 0
}
