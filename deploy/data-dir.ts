import { Database } from "bun:sqlite"
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"

export type DataDir = ReturnType<typeof claimDataDir>

/** Makes DATA_DIR ours alone, until this process ends however it may. */
export function claimDataDir(path: string) {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const root = realpathSync(path)
  const at = (name: string) => join(root, name)
  const lock = lockFile(at("lock"))
  if (!lock) {
    throw new Error(
      `Another Tributary runs on ${root}: stop it, or give this one a DATA_DIR of its own.`,
    )
  }

  return {
    root,
    lock, // whoever lets go of it lets the lock go
    at,

    has: (name: string) => existsSync(at(name)),
    read: (name: string) => readFileSync(at(name), "utf8"),

    /** Readers see the old text or the new one, and only the owner sees any. */
    write(name: string, text: string) {
      writeFileSync(at(`${name}.new`), text, { mode: 0o600 })
      renameSync(at(`${name}.new`), at(name))
    },

    /** Made once and kept. */
    secret(name: string): string {
      if (!this.has(name)) this.write(name, randomText())
      return this.read(name)
    },
  }
}

/** 256 random bits in characters that mean nothing to a URL, a shell or a configuration file. */
export const randomText = () =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")

/** SQLite knows on every system how to lock a file so that the kernel lets go with the process. */
function lockFile(path: string): Database | null {
  const database = new Database(path)
  try {
    database.run("begin exclusive")
    return database
  } catch {
    return null
  }
}
