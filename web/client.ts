import type { Api } from "../gateway/routes/routes"
import { operations } from "./constants"

export type OperationId = keyof Api
export type Answer<Id extends OperationId> = Api[Id]["answer"]

type Given<Id extends OperationId> = Api[Id]["input"]
type Query<Id extends OperationId> = {
  [Name in keyof Given<Id>["query"]]?: Given<Id>["query"][Name] | string
} & { page?: number | string; pageSize?: number | string }

/** What an operation is called with. `workspace` is the id for X-Workspace-Id. */
export type Input<Id extends OperationId> = {
  params?: { [Name in keyof Given<Id>["params"]]: string | number }
  query?: Query<Id>
  body?: Given<Id>["body"]
  workspace?: number
}

const NO_REPLY = "The server did not reply."

/** A call that did not succeed, with the API's sentence. `status` 0: there was no reply. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly request_id: string | null,
    readonly retry_after_seconds: number,
  ) {
    super(message)
  }

  /** Whether the outcome is unknown, so that a step that moves money must not be repeated blindly. */
  get isInDoubt(): boolean {
    return this.status === 0 || this.status === 503
  }
}

/** Asks the person to sign in again, and resolves once they have. Set by the sign-in dialog. */
export const signInAgain: { ask: (() => Promise<void>) | null } = { ask: null }

/** Calls an operation of the API by its id. Throws Refusal. */
export async function call<Id extends OperationId>(
  id: Id,
  input: Input<Id> = {},
  signal?: AbortSignal,
): Promise<Answer<Id>> {
  const response = await request(id, input, signal)
  if (response.status === 401 && id !== "signIn" && id !== "showSession" && signInAgain.ask) {
    await signInAgain.ask()
    return call(id, input, signal)
  }
  if (id === "listEvents" && response.status === 403) {
    await call("showSession", {}, signal) // 403 also stands for no session on this route
  }
  const { headers, status } = response
  const request_id = headers.get("x-request-id")
  const reply = await response.json().catch(error => {
    if (signal?.aborted) throw error
    if (response.ok) throw new Refusal(0, NO_REPLY, request_id, 0) // it broke off on the way
    return {}
  })
  if (response.ok) return reply as Answer<Id>

  const sentence = reply.message ?? reply.error ?? `The server replied with status ${status}.`
  const retry_after_seconds = Number(headers.get("retry-after") ?? 0)
  throw new Refusal(status, sentence, request_id, retry_after_seconds)
}

async function request<Id extends OperationId>(
  id: Id,
  { body, workspace, ...address }: Input<Id>,
  signal?: AbortSignal,
): Promise<Response> {
  const [method] = operations[id].split(" ")
  const headers: Record<string, string> = { accept: "application/json" }
  if (body !== undefined) headers["content-type"] = "application/json"
  if (workspace !== undefined) headers["x-workspace-id"] = `${workspace}`
  try {
    return await fetch(addressOf(id, address), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Refusal(0, NO_REPLY, null, 0)
  }
}

/** The address of an operation, also for links that download CSV. */
export function addressOf<Id extends OperationId>(
  id: Id,
  { params = {} as never, query = {} }: Pick<Input<Id>, "params" | "query">,
): string {
  const [, path] = operations[id].split(" ") as [string, string]
  const filled = path.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(`${params[name as keyof typeof params]}`),
  )
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "")
  const search = new URLSearchParams(given.map(([name, value]) => [name, `${value}`]))
  return search.size > 0 ? `${filled}?${search}` : filled
}
