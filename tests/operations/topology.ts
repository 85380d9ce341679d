import type { LoadRun } from "./funnel"
import type { Environment } from "./system"

/** Servers for Tributary, which learns of them only through its environment. */
export type Topology = {
  servers: string // names and versions, for the log
  environment: Environment
  /** The superuser's URL of the database, past any pooler: one for all services, or one each. */
  databases: string | Record<string, string>
  /** Runs under load, for example to kill a server. */
  disrupt?(): Promise<unknown>
  /** Verifies that the topology took the load. Returns the loads that it sent itself. */
  verify?(url: string): Promise<LoadRun[]>
  /** Test files that cannot run on it, and why. */
  excluded?: Record<string, string>
}
