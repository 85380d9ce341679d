import { join } from "node:path"

/** The paths of PEM files. */
export type Pair = { cert: string; key: string }

/** Creates a certificate authority in a folder, as docs/operations.md shows. */
export async function newAuthority(folder: string, name: string) {
  const ca = await request(folder, name, ["-x509", "-subj", `/CN=${name}`])

  /** Signs a certificate. `names` are those of a server, such as DNS:localhost. */
  async function sign(subject: string, names: string[] = []): Promise<Pair> {
    const extension = names.length ? ["-addext", `subjectAltName=${names.join()}`] : []
    const by = ["-x509", "-CA", ca.cert, "-CAkey", ca.key, "-subj", `/CN=${subject}`, ...extension]
    return request(folder, `${name}-${subject}`, by)
  }
  return { ca: ca.cert, sign }
}

async function request(folder: string, name: string, options: string[]): Promise<Pair> {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-days", "30"]
  const files = ["-keyout", key, "-out", cert]
  const { exitCode, stderr } = Bun.spawnSync(["openssl", "req", ...fresh, ...options, ...files], {
    stderr: "pipe",
  })
  if (exitCode !== 0) throw new Error(`openssl failed: ${stderr}`)
  return { cert, key }
}
