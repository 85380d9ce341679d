/** The settings of this process: environment variables, read and checked once at its start. */
export const config = {
  port: integer("PORT", 3000, 0, 65_535),
  public_url: url("PUBLIC_URL"), // null: as the caller addressed us
  log_level: oneOf("LOG_LEVEL", ["info", "silent", "fatal", "error", "warn", "debug", "trace"]),
  sign_up: oneOf("SIGN_UP", ["open", "closed"]),
  secret_key: text("SECRET_KEY"), // null: only services/tracking insists on one
  nats_url: text("NATS_URL"),
  prepared_statements: oneOf("PREPARED_STATEMENTS", ["on", "off"]) === "on",
  geoip_db: text("GEOIP_DB"),
  trusted_proxies: list("TRUSTED_PROXIES"),
  redis_url: redisUrl("REDIS_URL"), // null: each gateway counts calls for itself
  rate_limits: oneOf("RATE_LIMITS", ["on", "off"]) === "on",
  rate_limit: {
    clicks: rate("RATE_LIMIT_CLICKS", "100/10s"), // and leads without a token, of an address
    sign_ups: rate("RATE_LIMIT_SIGN_UPS", "20/1h"), // of an address
    sign_ins: rate("RATE_LIMIT_SIGN_INS", "20/1m"), // of an address
    sign_in_failures: rate("RATE_LIMIT_SIGN_IN_FAILURES", "10/15m"), // of an account
    credentials: rate("RATE_LIMIT_CREDENTIALS", "2000/10s"), // calls with one token or key
  },
}

/** The address of a service's database: its own, or the one that all share. */
export function databaseUrl(service: string): string {
  const name = `${service.toUpperCase()}_DATABASE_URL`
  const address = text(name) ?? text("DATABASE_URL")
  if (!address) throw new Error(`Set ${name} or DATABASE_URL to the address of a PostgreSQL.`)
  if (!URL.canParse(address)) throw new Error(`${name} or DATABASE_URL is no URL.`)
  return address
}

function text(name: string): string | null {
  return process.env[name] || null
}

function list(name: string): string[] {
  return (text(name) ?? "").split(",").flatMap(item => item.trim() || [])
}

function url(name: string): string | null {
  const value = text(name)
  if (value && !URL.canParse(value)) throw new Error(`${name} must be a URL, not "${value}".`)
  return value && new URL(value).href.replace(/\/$/, "")
}

function redisUrl(name: string): string | null {
  const value = text(name)
  if (!value || (/^rediss?:\/\//.test(value) && URL.canParse(value))) return value
  throw new Error(`${name} must be a URL like redis://localhost:6379.`)
}

/** So many calls in so much time: 100/10s, 20/1m, 20/1h. */
function rate(name: string, usual: string): { calls: number; seconds: number } {
  const value = text(name) ?? usual
  const [, calls, times, unit] = /^(\d{1,9})\/(\d{1,5})([smh])$/.exec(value) ?? []
  const seconds = Number(times) * (unit === "h" ? 3_600 : unit === "m" ? 60 : 1)
  if (Number(calls) >= 1 && seconds >= 1 && seconds <= 86_400) {
    return { calls: Number(calls), seconds }
  }
  throw new Error(`${name} must be calls in a time up to 24h, like 100/10s, not "${value}".`)
}

function integer(name: string, usual: number, min: number, max: number): number {
  const value = Number(text(name) ?? usual)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new Error(`${name} must be an integer from ${min} to ${max}, not "${text(name)}".`)
}

/** The first choice is the usual one. */
function oneOf<const Choice extends string>(name: string, choices: [Choice, ...Choice[]]): Choice {
  const value = text(name) ?? choices[0]
  const choice = choices.find(choice => choice === value)
  if (choice === undefined) {
    throw new Error(`${name} must be one of ${choices.join(", ")}, not "${value}".`)
  }
  return choice
}
