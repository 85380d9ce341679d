import type { Kind } from "./journal"
import type { System } from "./system"

/** Which of the systems a fault happens to (scenes.ts). */
export type Stage = "machine" | "network" | "disk"

export type Fault = {
  name: string
  stage: Stage
  needs?: string // a program on PATH
  hold_ms: number // how long the traffic meets it, before it is lifted
  recovery_s_max: number | null // counted from the moment that lifting answers
  unharmed: Kind[] // whose requests must all succeed throughout

  breaks_connections?: true // of callers, who are answered nothing then

  /** Makes it happen. Answers what lifts it, and that when the system might be well again. */
  strike(system: System): Promise<Lift>
}
type Lift = () => Promise<number>
