import { readFileSync } from "node:fs"
import { checkServerIdentity, type PeerCertificate } from "node:tls"

const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

export type TlsFiles = { ca?: string; cert?: string; key?: string }

/**
 * Reads the files that a connection URL names for TLS, by libpq's names, which PostgreSQL, NATS and
 * Redis URLs share here: `?sslrootcert=ca.pem`, the authorities that may sign the server's
 * certificate, and for mutual TLS `&sslcert=client.pem&sslkey=client.key`.
 */
export function tlsFiles({ searchParams }: URL): TlsFiles {
  const { sslcert, sslkey } = Object.fromEntries(searchParams)
  if (!sslcert !== !sslkey) throw new Error("A URL with sslcert or sslkey needs both.")
  const read = (name: string) => {
    const path = searchParams.get(name)
    if (!path) return null
    try {
      return readFileSync(path, "utf8")
    } catch {
      throw new Error(`The file that ${name} names in a URL cannot be read: ${path}`)
    }
  }
  const [ca, cert, key] = [read("sslrootcert"), read("sslcert"), read("sslkey")]
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
}

/** Removes from a URL what only this module reads. */
export function withoutTlsParameters(address: string): string {
  const url = new URL(address)
  for (const name of ["sslmode", "sslrootcert", "sslcert", "sslkey"]) url.searchParams.delete(name)
  return url.href
}

/**
 * Returns the driver's TLS setting for a PostgreSQL URL, by its `sslmode`, which means what it means
 * to libpq: `require` and above connect by TLS or not at all, `verify-ca` checks who signed the
 * server's certificate, `verify-full` also its name. Undefined: without TLS.
 */
export function postgresTls(url: URL): object | "prefer" | undefined {
  const mode = url.searchParams.get("sslmode") ?? "disable"
  const files = tlsFiles(url)
  if (!MODES.includes(mode)) {
    throw new Error(`sslmode of a database URL must be one of ${MODES.join(", ")}, not "${mode}".`)
  }
  if (mode === "disable") return undefined
  if (mode === "allow" || mode === "prefer") return "prefer" // unverified, and only if offered
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, "")
  const isVerified = mode !== "require" || files.ca !== undefined
  const isNamed = mode === "verify-full"
  return {
    ...files,
    rejectUnauthorized: isVerified,
    checkServerIdentity: (_: string, certificate: PeerCertificate) =>
      isNamed ? checkServerIdentity(host, certificate) : undefined,
  }
}
