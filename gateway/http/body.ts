import { Fault } from "../../lib/fault"
import { startWaiting } from "./deadline"
import { refuseUnstorableQuery } from "./query"
import { refuseUnstorable } from "./text"

/** The size of a body, unless its route takes larger ones. */
const BODY_MAX_BYTES = 256 * 1024

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** A body as received, and its request: body and query are checked at the same point (400). */
export type Body = { bytes: Uint8Array; request: Request }

type Reading = {
  isBeacon?: true
  isForm?: true
  ignoresBody?: true
  bodyBytesMax?: number
}

const FORM_TYPE = "application/x-www-form-urlencoded"

/**
 * Reads the bytes of a body without parsing them, because 413 and 415 precede 401, which precedes
 * 400 (behaviour 1.2).
 * `isBeacon`: a body without a type, or of text/plain, is JSON too (navigator.sendBeacon).
 * `isForm`: the body is that of an HTML form. `ignoresBody`: its type does not matter.
 */
export async function readBody(
  request: Request,
  { isBeacon, isForm, ignoresBody, bodyBytesMax = BODY_MAX_BYTES }: Reading,
): Promise<Body> {
  const { headers } = request
  if (Number(headers.get("content-length")) > bodyBytesMax) throw tooLarge(bodyBytesMax)
  refuseEncoding(request)

  const read = headers.has("content-length") ? request.bytes() : readAll(request, bodyBytesMax)
  const bytes = await read.catch(error => {
    throw request.signal.aborted ? incomplete() : error // a caller who hangs up is no bug
  })
  startWaiting() // a slow upload must not use up the time of the reply
  const type = headers.get("content-type")
  if (ignoresBody) return { bytes: bytes.subarray(0, 0), request }
  if (isForm && typeOf(type) !== FORM_TYPE) throw unsupported(`must be ${FORM_TYPE}`)
  if (!isForm && bytes.byteLength > 0 && !isJson(type, isBeacon)) {
    throw unsupported("must be application/json")
  }
  return { bytes, request }
}

/** Reads a body of unknown length (chunked), and stops at the limit. */
async function readAll({ body }: Request, bodyBytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bodyBytesMax) throw tooLarge(bodyBytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Refuses a Content-Encoding with any method (behaviour 1.5). Throws "unsupported". */
export function refuseEncoding({ headers }: Request) {
  if (headers.has("content-encoding")) throw unsupported("must not be encoded")
}

/** The fields of a body, which must be a JSON object. Throws "invalid". */
export function fieldsOf({ bytes, request }: Body): Record<string, unknown> {
  refuseUnstorableQuery(request)
  const text = decode(bytes)
  const value = parseJson(text)
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("must be a JSON object")
  }
  refuseUnstorable(value, text.includes("\\u"))
  return value as Record<string, unknown>
}

/** The fields of an HTML form. Those that were left empty are absent. Throws "invalid". */
export function formFieldsOf({ bytes, request }: Body): Record<string, unknown> {
  refuseUnstorableQuery(request)
  const given = [...new URLSearchParams(decode(bytes))].filter(([, value]) => value !== "")
  const fields = Object.fromEntries(given)
  refuseUnstorable(fields, true)
  return fields
}

/** The fields of an optional body. Throws "invalid" if it is neither empty nor an object. */
export function fieldsIfAny(body: Body): Record<string, unknown> {
  if (body.bytes.byteLength > 0) return fieldsOf(body)
  refuseUnstorableQuery(body.request)
  return {}
}

function isJson(content_type: string | null, isBeacon?: true): boolean {
  const type = typeOf(content_type)
  return type === "application/json" || (isBeacon === true && ["", "text/plain"].includes(type))
}

const typeOf = (content_type: string | null): string =>
  content_type?.split(";")[0]?.trim().toLowerCase() ?? ""

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch {
    throw invalid("must be JSON in UTF-8")
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid("must be JSON in UTF-8")
  }
}

const incomplete = () => invalid("is incomplete: the connection was closed")
const invalid = (what: string) => new Fault("invalid", `The body ${what}.`)
const unsupported = (what: string) => new Fault("unsupported", `The body ${what}.`)
const tooLarge = (bytes: number) =>
  new Fault("too_large", `The body is larger than ${bytes} bytes.`)
