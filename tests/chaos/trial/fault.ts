import type { Kind } from "./journal"
import type { Stage } from "./stage"
import type { System } from "./system"

export type Fault = {
  name: string
  stage: Stage
  requiredProgram?: string // on PATH
  holdMs: number // how long the fault lasts under traffic before it is lifted
  recoveryMaxSeconds: number | null // from the time that `Lift` returns
  unaffected: Kind[] // kinds whose requests must all succeed

  breaksConnections?: true // clients may then get no reply

  /** Makes the fault happen. Returns the function that lifts it. */
  inject(system: System): Promise<Lift>
}

/** Lifts the fault. Returns the time, in ms since 1970, from which the system can recover. */
type Lift = () => Promise<number>
