import { join } from "node:path"
import { integer, oneOf } from "../lib/environment"
import { PART_NAMES } from "./part"

const { env } = process

/** What the launcher itself is told by its environment. The parts read theirs in lib/config. */
export function settings() {
  const is_separate = oneOf("PROCESSES", ["one", "separate"]) === "separate"
  const needs_postgres = !env.DATABASE_URL && SERVICES.some(name => !env[`${name}_DATABASE_URL`])
  const needs_nats = !env.NATS_URL && is_separate
  const needs_redis = !env.REDIS_URL && is_separate
  const is_embedded = needs_postgres && !env.NATS_URL && !env.REDIS_URL
  const may_sign_up = env.SIGN_UP !== "closed"

  return {
    data_dir: env.DATA_DIR || join(import.meta.dir, "../.data"),
    is_separate,
    replicas: integer("REPLICAS", 1, 1, REPLICAS_MAX),
    needs_postgres,
    needs_nats,
    needs_redis,
    has_demo: oneOf("DEMO", is_embedded && may_sign_up ? ["on", "off"] : ["off", "on"]) === "on",
  }
}

const SERVICES = PART_NAMES.filter(part => part !== "gateway").map(part => part.toUpperCase())
const REPLICAS_MAX = 8 // the embedded PostgreSQL has connections for no more
