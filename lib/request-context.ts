import { AsyncLocalStorage } from "node:async_hooks"

/** Who sent a request. `address` is truncated: enough for a location, not for a person. */
export type Actor = {
  kind: "user" | "key" | "none" | "system" // none: no credential; system: Tributary itself
  id: number | null // of the user or the key
  address: string | null
}

/** What travels with each message: its HTTP request, deadline and actor. */
export type RequestContext = {
  request_id: string
  deadline: number // ms since 1970; no reply is needed after it
  actor: Actor
  traceparent?: string // the span that caused the message; absent: not traced
}

const SYSTEM: Actor = { kind: "system", id: null, address: null }

const current = new AsyncLocalStorage<RequestContext>()

/** Runs `work` with this context, which all its messages to other services carry. */
export const withContext = <Result>(context: RequestContext, work: () => Result): Result =>
  current.run(context, work)

/** Creates a context with a new request id and no deadline. */
export const newContext = (actor = SYSTEM): RequestContext => ({
  request_id: crypto.randomUUID(),
  deadline: Infinity,
  actor,
})
export const currentContext = (): RequestContext => current.getStore() ?? newContext()
export const currentTraceparent = (): string | undefined => current.getStore()?.traceparent
export const currentRequestId = (): string | undefined => current.getStore()?.request_id

/** Whether the caller has stopped waiting for a reply. */
export const isPastDeadline = (): boolean => Date.now() > currentContext().deadline

/** Sets the actor of the current request, once its credential is known. */
export function setActor(known: Partial<Actor>) {
  const context = currentContext()
  context.actor = { ...context.actor, ...known }
}
