import type { Send } from "../client"
import type { Moment } from "../moment"

/** A request, what it must be answered, and what it changes. */
export type Operation = {
  kind: string
  method: string
  path: string
  token?: string
  body?: unknown
  /** The customers, transactions, partners … that it concerns. */
  about: string[]
  /** The time of everything that it creates. */
  at: Moment
  status: number
  expected: unknown
  apply?: () => void
  /** How a request that was repeated because its answer was lost may be answered instead. */
  repeated?: { status: number; expected: unknown }
  /** Instead of `apply` after repetitions: reads what they have done, and makes the model know it. */
  applyRepeated?: (send: Send) => Promise<void>
}
