import type { LoadRun } from "./funnel"
import type { Environment } from "./system"

/** Servers that Tributary is told of by nothing but its environment. */
export type Topology = {
  servers: string // their names and versions
  environment: Environment
  /** Each service's database as its superuser sees it, round any pooler; one for all, or each. */
  databases: string | Record<string, string>
  /** Happens under load. */
  strike?(): Promise<unknown>
  /** What shows that the load went this way. Answers what more was sent for it. */
  verify?(url: string): Promise<LoadRun[]>
  /** Test files that cannot be run on it, and why. */
  unfit?: Record<string, string>
}
