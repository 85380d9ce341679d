import { AsyncLocalStorage } from "node:async_hooks"

/** Who wants something done. `address` is truncated: enough for a place, too little for a name. */
export type Actor = {
  kind: "user" | "key" | "none" | "system" // none: without a credential; system: by itself
  id: number | null // of the user or the key
  address: string | null
}

/** What travels with each message: the HTTP request it serves, and when its answer is worthless. */
export type RequestContext = {
  request_id: string
  deadline: number // ms since 1970
  actor: Actor
  traceparent?: string // the step of a trace by which it is done; absent: nobody traces it
}

const SYSTEM: Actor = { kind: "system", id: null, address: null }

const current = new AsyncLocalStorage<RequestContext>()

/** Whatever `work` asks of other services, it asks on this errand. */
export const withContext = <Result>(errand: RequestContext, work: () => Result): Result =>
  current.run(errand, work)

export const newContext = (actor = SYSTEM): RequestContext => ({
  request_id: crypto.randomUUID(),
  deadline: Infinity,
  actor,
})
export const currentContext = (): RequestContext => current.getStore() ?? newContext()
export const currentTraceparent = (): string | undefined => current.getStore()?.traceparent
export const currentRequestId = (): string | undefined => current.getStore()?.request_id

/** Whether nobody waits for an answer any more. */
export const isLate = (): boolean => Date.now() > currentContext().deadline

/** Says whose errand this is, as soon as that is known. */
export function setActor(known: Partial<Actor>) {
  const errand = currentContext()
  errand.actor = { ...errand.actor, ...known }
}
