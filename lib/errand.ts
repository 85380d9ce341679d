import { AsyncLocalStorage } from "node:async_hooks"

/** What travels with each message: the HTTP request it serves, and when its answer is worthless. */
export type Errand = { request_id: string; deadline: number } // ms since 1970

const current = new AsyncLocalStorage<Errand>()

/** Whatever `work` asks of other services, it asks on this errand. */
export const onErrand = <Result>(errand: Errand, work: () => Result): Result =>
  current.run(errand, work)

export const newErrand = (): Errand => ({ request_id: crypto.randomUUID(), deadline: Infinity })
export const currentErrand = (): Errand => current.getStore() ?? newErrand()
export const currentRequestId = (): string | undefined => current.getStore()?.request_id
