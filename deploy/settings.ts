import { join } from "node:path"
import { integer, integerIfAny, oneOf } from "../lib/environment"
import { PART_NAMES, type Part, SERVICE_NAMES } from "./part"

const { env } = process

/** What the launcher itself is told by its environment. The parts read theirs in lib/config. */
export function settings() {
  const is_separate = oneOf("PROCESSES", ["one", "separate"]) === "separate"
  const needs_postgres = !env.DATABASE_URL && SERVICES.some(name => !env[`${name}_DATABASE_URL`])
  const has_nats = Boolean(env.NATS_URL) || PART_NAMES.every(part => env[natsUrlOf(part)])
  const needs_redis = !env.REDIS_URL && is_separate
  const is_embedded = needs_postgres && !has_nats && !env.REDIS_URL
  const replicas = integer("REPLICAS", 1, 1, REPLICAS_MAX)
  const processes = is_separate ? PART_NAMES.length * replicas : 1
  const first_port = integerIfAny("METRICS_PORT", 1, PORT_MAX + 1 - processes)
  const may_sign_up = env.SIGN_UP !== "closed"

  return {
    data_dir: env.DATA_DIR || join(import.meta.dir, "../.data"),
    is_separate,
    replicas,
    /** Of each process in turn, counted up from METRICS_PORT. None: nobody reads the numbers. */
    metrics_ports:
      first_port === null ? [] : Array.from({ length: processes }, (_, i) => first_port + i),
    needs_postgres,
    needs_nats: is_separate && !has_nats,
    needs_redis,
    has_demo: oneOf("DEMO", is_embedded && may_sign_up ? ["on", "off"] : ["off", "on"]) === "on",
  }
}

/** The variable with a part's own URL of NATS, where each is a process and has a user there. */
export const natsUrlOf = (part: Part) => `${part.toUpperCase()}_NATS_URL`

const SERVICES = SERVICE_NAMES.map(name => name.toUpperCase())
const PORT_MAX = 65_535
const REPLICAS_MAX = 8 // the embedded PostgreSQL has connections for no more
