import http, { type IncomingMessage } from "node:http"
import https from "node:https"
import { isIP, type Socket } from "node:net"
import { type Destination, findDestination, GUARD } from "./destination"
import { excerptOf, retryAfterOf } from "./response"

const BODY_BYTES_MAX = 65_536
const SETTINGS = {
  guard: GUARD,
  connect_ms_max: 5_000,
  response_ms_max: 15_000,
  ca: undefined as string | undefined, // undefined: the authorities that Bun trusts
}

export type OutgoingRequest = {
  method: "GET" | "POST"
  url: string
  headers: Record<string, string>
  body: string | null
}

/** What became of a request. Without a response, `error` says why in a sentence. */
export type Outcome = {
  response_status: number | null
  latency_ms: number // until the headers of the response, or until the error
  error: string | null
  response_excerpt: string | null // at most 1 KiB
  retry_after_seconds: number | null
}

/**
 * Sends a request to the outside once, on a socket of its own, if the rules for URLs allow it
 * (behaviour 12.6). Whatever the receiver does is an outcome, nothing is thrown for it. Redirects
 * are not followed. The socket is destroyed before the promise resolves.
 */
export async function send(
  request: OutgoingRequest,
  settings: Partial<typeof SETTINGS> = {},
): Promise<Outcome> {
  return (await sendPrepared(request.url, async () => request, settings))!
}

/**
 * As `send`, of a request that `prepare` returns right before each connection. Null: it returned
 * null, and nothing was sent.
 */
export async function sendPrepared(
  url: string,
  prepare: () => Promise<Omit<OutgoingRequest, "url"> | null>,
  settings: Partial<typeof SETTINGS> = {},
): Promise<Outcome | null> {
  const { guard, connect_ms_max, response_ms_max, ca } = { ...SETTINGS, ...settings }
  const start_ms = performance.now()
  const destination = await findDestination(url, guard)
  if (typeof destination === "string") return failure(destination, start_ms)

  const times = { start_ms, connect_ms_max, response_ms_max }
  for (const [i, address] of destination.addresses.entries()) {
    const request = await prepare()
    if (!request) return null
    const attempt = await exchange({ ...request, ...destination, ...times, ca, address })
    const isLast = i === destination.addresses.length - 1
    if (isLast || attempt.isConnected || hasPassed(start_ms, connect_ms_max)) return attempt.outcome
  }
  return null
}

type Exchange = Omit<OutgoingRequest, "url"> &
  Pick<Destination, "url"> & {
    address: string
    ca: string | undefined
    start_ms: number
    connect_ms_max: number
    response_ms_max: number
  }

/** Connects to one address. If that fails, nothing was sent, and another address may be tried. */
function exchange({ url, address, body, start_ms, ...options }: Exchange) {
  return new Promise<{ isConnected: boolean; outcome: Outcome }>(resolve => {
    const isEncrypted = url.protocol === "https:"
    let isConnected = false
    let isEnded = false
    let socket: Socket | undefined
    let finishResponse: (() => Outcome) | undefined

    const end = (error: string) => {
      if (isEnded) return
      isEnded = true
      clearTimeout(connectTimer)
      clearTimeout(responseTimer)
      request.destroy()
      socket?.destroy()
      resolve({ isConnected, outcome: finishResponse?.() ?? failure(error, start_ms) })
    }

    const request = (isEncrypted ? https : http).request({
      method: options.method,
      host: address, // not the name, which may resolve to another address by now
      port: url.port || (isEncrypted ? 443 : 80),
      path: url.pathname + url.search,
      headers: { ...options.headers, host: url.host, "accept-encoding": "identity" },
      agent: false, // a socket that others used may lead elsewhere
      ...(isEncrypted && { ca: options.ca, ...serverName(url) }),
    })
    const connectTimer = setTimeout(
      () => end("The connection took too long."),
      start_ms + options.connect_ms_max - performance.now(),
    )
    const responseTimer = setTimeout(
      () => end("The response took too long."),
      start_ms + options.response_ms_max - performance.now(),
    )

    request.on("socket", opened => {
      socket = opened
      opened.once(isEncrypted ? "secureConnect" : "connect", () => {
        isConnected = true
        clearTimeout(connectTimer)
      })
    })
    request.on("response", response => {
      finishResponse = collect(response, start_ms, () => end(""))
    })
    request.on("upgrade", () => end("The receiver changed the protocol."))
    request.on("error", error => end(sentenceOf(error)))
    request.on("close", () => end(CLOSED))
    request.end(body ?? undefined)
  })
}

/** Reads a response until it ends or is too long. Returns how to tell what has come of it. */
function collect(response: IncomingMessage, start_ms: number, end: () => void): () => Outcome {
  const latency_ms = msSince(start_ms)
  const chunks: Buffer[] = []
  let bytes = 0
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= BODY_BYTES_MAX) end()
  })
  for (const event of ["end", "error", "close"]) response.on(event, end)

  return () => ({
    response_status: response.statusCode!,
    latency_ms,
    error: null,
    response_excerpt: excerptOf(Buffer.concat(chunks)),
    retry_after_seconds: retryAfterOf(response.headers["retry-after"]),
  })
}

/** TLS names no addresses, and no name with a dot at its end. */
const serverName = ({ hostname }: URL) =>
  isIP(hostname.replace(/^\[|\]$/g, "")) ? {} : { servername: hostname.replace(/\.$/, "") }

const CLOSED = "The receiver closed the connection without a response."

const SENTENCES: Record<string, string> = {
  ECONNREFUSED: "The receiver refused the connection.",
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate of the receiver is for another name.",
  CERT_HAS_EXPIRED: "The certificate of the receiver has expired.",
}

function sentenceOf({ code }: NodeJS.ErrnoException): string {
  return SENTENCES[code ?? ""] ?? `The request failed (${code ?? "unknown error"}).`
}

const failure = (error: string, start_ms: number): Outcome => ({
  response_status: null,
  latency_ms: msSince(start_ms),
  error,
  response_excerpt: null,
  retry_after_seconds: null,
})

const msSince = (start_ms: number) => Math.round(performance.now() - start_ms)
const hasPassed = (start_ms: number, ms: number) => performance.now() - start_ms >= ms
