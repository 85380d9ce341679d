import { integer, integerIfAny, list, oneOf, rate, redisUrl, text, url } from "./environment"

/** The settings of this process: environment variables, read and checked once at its start. */
export const config = {
  port: integer("PORT", 3000, 0, 65_535),
  public_url: url("PUBLIC_URL"), // null: as the caller addressed us
  metrics_port: integerIfAny("METRICS_PORT", 1, 65_535), // null: nothing is told
  traces: isTraced(),
  log_level: oneOf("LOG_LEVEL", ["info", "silent", "fatal", "error", "warn", "debug", "trace"]),
  sign_up: oneOf("SIGN_UP", ["open", "closed"]),
  secret_key: text("SECRET_KEY"), // null: those who need one insist (secretKey)
  nats_url: text("NATS_URL"),
  prepared_statements: oneOf("PREPARED_STATEMENTS", ["on", "off"]) === "on", // off: through a pooler
  reporting_read_database_url: url("REPORTING_READ_DATABASE_URL"), // null: the primary is read
  geoip_db: text("GEOIP_DB"),
  trusted_proxies: list("TRUSTED_PROXIES"),
  redis_url: redisUrl("REDIS_URL"), // null: each gateway counts calls for itself
  click_retention_months: integerIfAny("CLICK_RETENTION_MONTHS", 1, 120), // null: for ever
  rate_limits: oneOf("RATE_LIMITS", ["on", "off"]) === "on",
  rate_limit: {
    clicks: rate("RATE_LIMIT_CLICKS", "100/10s"), // and leads without a token, of an address
    sign_ups: rate("RATE_LIMIT_SIGN_UPS", "20/1h"), // of an address
    sign_ins: rate("RATE_LIMIT_SIGN_INS", "20/1m"), // of an address
    sign_in_failures: rate("RATE_LIMIT_SIGN_IN_FAILURES", "10/15m"), // of an account
    webhooks: rate("RATE_LIMIT_WEBHOOKS", "1000/10s"), // of an address
    credentials: rate("RATE_LIMIT_CREDENTIALS", "2000/10s"), // calls with one token or key
  },
}

/** Traces are sent where OpenTelemetry's own variables say where to; its SDK reads the others. */
function isTraced(): boolean {
  const names = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"]
  const isOff = oneOf("OTEL_SDK_DISABLED", ["false", "true"]) === "true"
  return !isOff && names.some(name => url(name) !== null)
}

/** What hashes are keyed by and secrets sealed with. */
export function secretKey(): string {
  if (config.secret_key) return config.secret_key
  throw new Error(
    "Set SECRET_KEY to a long random text: it keys the hashes of e-mail addresses and seals secrets.",
  )
}

/** The address of a service's database: its own, or the one that all share. */
export function databaseUrl(service: string): string {
  const name = `${service.toUpperCase()}_DATABASE_URL`
  const address = text(name) ?? text("DATABASE_URL")
  if (!address) throw new Error(`Set ${name} or DATABASE_URL to the address of a PostgreSQL.`)
  if (!URL.canParse(address)) throw new Error(`${name} or DATABASE_URL is no URL.`)
  return address
}
