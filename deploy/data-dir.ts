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

/** Locks DATA_DIR for this process. The lock ends with the process, even if that is killed. */
export function claimDataDir(path: string) {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const root = realpathSync(path)
  const at = (name: string) => join(root, name)
  const lock = lockFile(at("lock"))
  if (!lock) {
    throw new Error(
      `Another Tributary is running on ${root}. Stop it, or set DATA_DIR to another folder.`,
    )
  }

  return {
    root,
    lock, // must stay referenced: garbage collection would release it
    at,

    has: (name: string) => existsSync(at(name)),
    read: (name: string) => readFileSync(at(name), "utf8"),

    /** Replaces a file atomically. Only its owner can read it. */
    write(name: string, text: string) {
      writeFileSync(at(`${name}.new`), text, { mode: 0o600 })
      renameSync(at(`${name}.new`), at(name))
    },

    /** Returns a secret, which is generated on first use and kept. */
    secret(name: string): string {
      if (!this.has(name)) this.write(name, randomText())
      return this.read(name)
    },
  }
}

/** Returns 256 random bits in hexadecimal, which needs no quoting in URLs, shells or files. */
export const randomText = () =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")

/** Returns null if the file is locked already. SQLite's locks end with the process everywhere. */
function lockFile(path: string): Database | null {
  const database = new Database(path)
  try {
    database.run("begin exclusive")
    return database
  } catch {
    return null
  }
}
