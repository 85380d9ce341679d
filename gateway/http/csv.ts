import { type Static, Type } from "@sinclair/typebox"
import { OneOf } from "../../lib/fields"
import { quality } from "./accept"

/** What spreadsheets run, at the start of a cell. The last four are the full-width forms. */
const FORMULA = "[=+\\-@\uff1d\uff0b\uff0d\uff20]"
/** What some spreadsheets take for the end of a cell, even inside quotes. */
const SEPARATOR = "[;\\t\\r\\n]"
/** What they may drop before a formula: blanks, invisible characters, and a quoted part that is empty. */
const DROPPED = '[\\p{Zs}\\p{Cf}\\v\\f"]*'
const CELL_START = new RegExp(
  `^(?=${DROPPED}${FORMULA}|${SEPARATOR})|(?<=${SEPARATOR})(?=${DROPPED}${FORMULA})`,
  "gu",
)

/** The query of a list that is available as CSV: links of pages cannot send Accept. */
export const Format = Type.Object({
  format: Type.Optional(OneOf("json", "csv")),
})

/** Whether the request prefers CSV to JSON. `format` overrides Accept. */
export function prefersCsv({ headers }: Request, { format }: Static<typeof Format>): boolean {
  if (format) return format === "csv"
  const accept = headers.get("accept") ?? ""
  return quality(accept, "text/csv") > quality(accept, "application/json")
}

/** The first line: the names of the columns. */
export const headOf = (columns: string[]): string => lineOf(columns)

/** One line per row (RFC 4180). Absent values are empty. Texts never become formulas. */
export const linesOf = (columns: string[], rows: Record<string, unknown>[]): string =>
  rows.map(row => lineOf(columns.map(column => row[column]))).join("")

const lineOf = (values: unknown[]): string => `${values.map(cell).join(",")}\r\n`

function cell(value: unknown): string {
  const text = textOf(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string") return String(value)
  return value.replace(CELL_START, "'")
}
