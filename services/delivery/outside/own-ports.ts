import { config } from "../../../lib/config"

const URL_OF_A_SERVER = /(^|_)(DATABASE|NATS|REDIS)_URL$/
const DEFAULT_PORTS: Record<string, number> = { postgres: 5432, nats: 4222, redis: 6379 }

/**
 * The ports of Tributary and of its servers, as far as this process knows them. Nothing is sent to
 * them on a private address, also where the operator lets private networks be reached.
 */
export function ownPorts(): number[] {
  const servers = Object.entries(process.env).filter(([name]) => URL_OF_A_SERVER.test(name))
  const urls = servers.flatMap(([, urls = ""]) => urls.split(","))
  const { port, metrics_port } = config
  return [port, metrics_port, ...urls.map(portOf)].filter(port => port !== null)
}

/** Null: it is no URL, or one of an unknown scheme. */
function portOf(address: string): number | null {
  const url = URL.parse(address.includes("://") ? address : `nats://${address}`)
  if (url?.port) return Number(url.port)
  const [, scheme = ""] = /^(postgres|nats|redis|tls)/.exec(url?.protocol ?? "") ?? []
  return DEFAULT_PORTS[scheme === "tls" ? "nats" : scheme] ?? null
}
