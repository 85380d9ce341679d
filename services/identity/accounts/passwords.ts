import { dictionary } from "@zxcvbn-ts/language-common"
import { Fault } from "../../../lib/fault"

// OWASP's parameters: 19 MiB of memory.
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const

/** The minimum length of a new password, in characters. */
export const PASSWORD_MIN = 10

/** Those of the commonest passwords of the world that are long enough, in lower case. */
const COMMONEST = new Set(
  dictionary.passwords.filter(password => [...password].length >= PASSWORD_MIN),
)

/**
 * The hash that is stored of a new password. Throws "invalid" for one of the commonest, which
 * attackers try first.
 */
export async function hashPassword(password: string): Promise<string> {
  if (COMMONEST.has(password.toLowerCase())) {
    throw new Fault("invalid", "password is one of the commonest: choose another one.")
  }
  return Bun.password.hash(password, ARGON2ID)
}

/**
 * Whether the password matches the hash. Without a hash (unknown user) it returns false after the
 * same work, so that response times do not reveal which addresses have accounts.
 */
export async function isPassword(password: string, password_hash: string | undefined) {
  const isMatch = await Bun.password.verify(password, password_hash ?? (await dummyHash))
  return isMatch && password_hash !== undefined
}

const dummyHash = hashPassword(crypto.randomUUID())
