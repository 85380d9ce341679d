import { zxcvbn, zxcvbnOptions } from "@zxcvbn-ts/core"
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common"
import { Fault } from "../../../lib/fault"

// OWASP's parameters: 19 MiB of memory.
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const

/** The minimum length of a new password, in characters. */
export const PASSWORD_MIN = 10

/** Leaked passwords, the commonest first, in lower case. Few have the minimum length. */
const LEAKED = new Set(dictionary.passwords.filter(leaked => [...leaked].length >= PASSWORD_MIN))
/** A password that takes fewer tries, as the estimate goes, is as common as a leaked one. */
const TRIES_MIN = 10_000
/** Longer ones are not estimated: the time grows with the length, and none is common. */
const ESTIMATED_MAX = 64

zxcvbnOptions.setOptions({ dictionary, graphs: adjacencyGraphs })

/**
 * Returns the hash of a new password, to be stored. Throws "invalid" for one that attackers try first: a
 * common one, also with symbols for letters, a keyboard sequence, a repetition, or one of `personal`, the
 * user's address and name.
 */
export async function hashPassword(password: string, personal: string[]): Promise<string> {
  if (isCommon(password, personal)) {
    throw new Fault("invalid", "password is too easy to guess: choose another one.")
  }
  return hash(password)
}

const isCommon = (password: string, personal: string[]) =>
  LEAKED.has(password.toLowerCase()) ||
  (password.length <= ESTIMATED_MAX && zxcvbn(password, personal).guesses < TRIES_MIN)

const hash = (password: string) => Bun.password.hash(password, ARGON2ID)

/**
 * Whether the password matches the hash. Without a hash (unknown user) it returns false after the
 * same work, so that response times do not reveal which addresses have accounts.
 */
export async function isPassword(password: string, password_hash: string | undefined) {
  const isMatch = await Bun.password.verify(password, password_hash ?? (await dummyHash))
  return isMatch && password_hash !== undefined
}

const dummyHash = hash(crypto.randomUUID())
