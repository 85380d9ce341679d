import { join } from "node:path"
import { integer, oneOf, optionalInteger } from "../lib/environment"
import { PART_NAMES, type Part, SERVICE_NAMES } from "./part"

const { env } = process

/** Reads the launcher's settings from the environment. The parts read theirs in lib/config. */
export function settings() {
  const isSeparate = oneOf("PROCESSES", ["one", "separate"]) === "separate"
  const needsPostgres = !env.DATABASE_URL && SERVICES.some(name => !env[`${name}_DATABASE_URL`])
  const hasNats = Boolean(env.NATS_URL) || PART_NAMES.every(part => env[natsUrlVariable(part)])
  const needsRedis = !env.REDIS_URL && isSeparate
  const isEmbedded = needsPostgres && !hasNats && !env.REDIS_URL
  const replicas = integer("REPLICAS", 1, 1, REPLICAS_MAX)
  const processes = isSeparate ? PART_NAMES.length * replicas : 1
  const firstPort = optionalInteger("METRICS_PORT", 1, PORT_MAX + 1 - processes)
  const isSignUpOpen = env.SIGN_UP !== "closed"

  return {
    dataDir: env.DATA_DIR || join(import.meta.dir, "../.data"),
    isSeparate,
    replicas,
    /** One for each process, from METRICS_PORT up. Empty: metrics are not served. */
    metricsPorts:
      firstPort === null ? [] : Array.from({ length: processes }, (_, i) => firstPort + i),
    needsPostgres,
    needsNats: isSeparate && !hasNats,
    needsRedis,
    hasDemo: oneOf("DEMO", isEmbedded && isSignUpOpen ? ["on", "off"] : ["off", "on"]) === "on",
  }
}

/** Returns the variable with a part's own NATS URL, for parts that run as separate processes. */
export const natsUrlVariable = (part: Part) => `${part.toUpperCase()}_NATS_URL`

/** Returns the variable with a service's own database URL. */
export const databaseUrlVariable = (part: Part) => `${part.toUpperCase()}_DATABASE_URL`

const SERVICES = SERVICE_NAMES.map(name => name.toUpperCase())
const PORT_MAX = 65_535
const REPLICAS_MAX = 8 // limited by the connections of the embedded PostgreSQL
