import { asFault } from "../../../lib/fault"
import { isToken } from "../../../lib/token"
import type { TrackingCall } from "../../../services/tracking/contract"
import { type Body, fieldsOf } from "../../http/body"
import { logCall } from "../../http/call-log"
import { bearer } from "../../http/caller"
import type { AnsweredCall } from "../../http/route"
import { STATUS } from "../../http/status"

const NAMES_MAX = 30
const NAME_MAX_CHARACTERS = 64
const VALUE_MAX_CHARACTERS = 255
const SHOWN = ["transaction_id", "click_id"]

/**
 * Returns what logs the calls to a tracking endpoint that need someone: refused ones, and clicks of
 * links that record nothing. Recorded clicks, leads and sales are in the event list, and cost
 * nothing here.
 */
export const observeCall = (route: TrackingCall["route"]) => (answered: AnsweredCall) => {
  const error = refusalOf(answered)
  if (error === null && route !== "refund") return

  const { request, body, granted } = answered
  const fields = body ? sentFields(body) : {}
  const token = bearer(request.headers)
  const { program_id } = { program_id: null, ...granted } as { program_id: number | null }
  logCall({
    at_ms: Date.now(),
    route,
    status: "error" in answered ? STATUS[asFault(answered.error).kind] : 200,
    error: error && plain(error, 1_000),
    fields,
    program_id,
    token: isToken("aff_", token) ? token : null,
    code: fields.aff ?? null,
    click_id: fields.click_id ?? null,
  })
}

/** The sentence of a refusal. Null: the call was not refused. */
function refusalOf(answered: AnsweredCall): string | null {
  if ("error" in answered) return asFault(answered.error).message
  const { success, message } = answered.answer as { success: boolean; message: string }
  return success ? null : message // of an inactive link
}

/** The names of what was sent. Values only of ids and codes: others may be personal data. */
function sentFields(body: Body): Record<string, string | null> {
  const sent = objectIn(body)
  const fields = Object.keys(sent)
    .slice(0, NAMES_MAX)
    .map(name => [
      plain(name, NAME_MAX_CHARACTERS),
      SHOWN.includes(name) ? shown(sent[name]) : null,
    ])
  const aff = affOf(sent.affiliate_url)
  return Object.fromEntries(aff === null ? fields : [...fields, ["aff", shown(aff)]])
}

function objectIn(body: Body): Record<string, unknown> {
  try {
    return fieldsOf(body)
  } catch {
    return {} // it is not a JSON object, or one with characters that cannot be stored
  }
}

const affOf = (url: unknown) =>
  typeof url === "string" ? (URL.parse(url)?.searchParams.get("aff") ?? null) : null

const shown = (value: unknown) =>
  typeof value === "string" || typeof value === "number"
    ? plain(`${value}`, VALUE_MAX_CHARACTERS)
    : null

/** A text that PostgreSQL can store. */
const plain = (text: string, max: number) =>
  text.slice(0, max).toWellFormed().replaceAll("\0", "\ufffd")
