import {
  durations,
  integer,
  list,
  networks,
  oneOf,
  optionalInteger,
  ports,
  rate,
  redisUrl,
  secret,
  sender,
  smtpUrl,
  text,
  url,
} from "./environment"

/** The settings of this process, read from environment variables and checked once at start. */
export const config = {
  port: integer("PORT", 3000, 0, 65_535),
  public_url: url("PUBLIC_URL"), // null: the address that the request used
  data_dir: text("DATA_DIR"), // null: only `npm start` has one
  metrics_port: optionalInteger("METRICS_PORT", 1, 65_535), // null: no metrics
  metrics_host: text("METRICS_HOST") ?? "127.0.0.1",
  traces: isTraced(),
  log_level: oneOf("LOG_LEVEL", ["info", "silent", "fatal", "error", "warn", "debug", "trace"]),
  sign_up: oneOf("SIGN_UP", ["open", "closed"]),
  transaction_scope: oneOf("TRANSACTION_SCOPE", ["service", "program"]),
  secret_key: secret("SECRET_KEY", 32), // null: secretKey() throws
  secret_key_previous: text("SECRET_KEY_PREVIOUS"), // still opens what it has sealed
  nats_url: text("NATS_URL"),
  prepared_statements: oneOf("PREPARED_STATEMENTS", ["on", "off"]) === "on", // off: behind a pooler
  reporting_read_database_url: url("REPORTING_READ_DATABASE_URL"), // null: reports read the primary
  geoip_db: text("GEOIP_DB"),
  trusted_proxies: list("TRUSTED_PROXIES"),
  redis_url: redisUrl("REDIS_URL"), // null: each gateway counts on its own
  click_retention_months: optionalInteger("CLICK_RETENTION_MONTHS", 1, 120), // null: forever
  events_per_workspace_max: optionalInteger("EVENTS_PER_WORKSPACE", 1, Number.MAX_SAFE_INTEGER), // null: no quota
  rate_limits: oneOf("RATE_LIMITS", ["on", "off"]) === "on",
  rate_limit: {
    clicks: rate("RATE_LIMIT_CLICKS", "100/10s"), // per address; also leads without a token
    sign_ups: rate("RATE_LIMIT_SIGN_UPS", "20/1h"), // per address
    sign_ins: rate("RATE_LIMIT_SIGN_INS", "20/1m"), // per address
    sign_in_failures: rate("RATE_LIMIT_SIGN_IN_FAILURES", "10/15m"), // per account and network, or device
    account_failures: rate("RATE_LIMIT_ACCOUNT_FAILURES", "100/15m"), // per account
    webhooks: rate("RATE_LIMIT_WEBHOOKS", "1000/10s"), // per address
    credentials: rate("RATE_LIMIT_CREDENTIALS", "2000/10s"), // per token or key
    unknown_credentials: rate("RATE_LIMIT_UNKNOWN_CREDENTIALS", "100/10s"), // per address
    status: rate("RATE_LIMIT_STATUS", "60/1m"), // per address
    public_programs: rate("RATE_LIMIT_PUBLIC_PROGRAMS", "300/1m"), // per address
  },
  delivery: {
    private_networks: networks("DELIVERY_PRIVATE_NETWORKS"), // may be sent to
    allows_http: oneOf("DELIVERY_ALLOW_HTTP", ["off", "on"]) === "on",
    ports: ports("DELIVERY_PORTS"), // beside 443 and 8443
    retention_days: integer("DELIVERY_RETENTION_DAYS", 30, 1, 39), // its owners keep an event for 40
    retries: durations("DELIVERY_RETRIES", "0s,5s,5m,30m,2h,5h,10h,14h,20h,24h"), // before each attempt
  },
  mail: {
    smtp_url: mailServer(), // null: mails are written into data_dir
    from: sender("MAIL_FROM"),
  },
  reports_at_once_max: integer("RATE_LIMIT_REPORTS", 4, 1, 1_000), // per session or key
}

/** Whether OpenTelemetry's variables name a trace endpoint. Its SDK reads the other variables. */
function isTraced(): boolean {
  const names = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"]
  const isOff = oneOf("OTEL_SDK_DISABLED", ["false", "true"]) === "true"
  return !isOff && names.some(name => url(name) !== null)
}

/** The URL of the mail server. Throws if a mail could not name its sender, or where its links lead. */
function mailServer(): URL | null {
  const server = smtpUrl("SMTP_URL")
  const missing = ["MAIL_FROM", "PUBLIC_URL"].find(name => text(name) === null)
  if (!server || !missing) return server
  throw new Error(`Set ${missing}: with SMTP_URL mails are sent, and they need it.`)
}

/** The key that seals secrets. Throws if SECRET_KEY is not set. */
export function secretKey(): string {
  if (config.secret_key) return config.secret_key
  throw new Error("Set SECRET_KEY to a random text of at least 32 characters. It encrypts secrets.")
}

/** The address of a service's database: its own, or the shared one. Throws if neither is set. */
export function databaseUrl(service: string): string {
  const name = `${service.toUpperCase()}_DATABASE_URL`
  const address = text(name) ?? text("DATABASE_URL")
  if (!address) throw new Error(`Set ${name} or DATABASE_URL to the URL of a PostgreSQL database.`)
  if (!URL.canParse(address)) throw new Error(`${name} or DATABASE_URL is not a URL.`)
  return address
}
