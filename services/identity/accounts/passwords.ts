// OWASP's parameters: 19 MiB of memory.
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const

/** The minimum length of a new password, in characters. */
export const PASSWORD_MIN = 10

/** The hash that is stored of a password. */
export const hashPassword = (password: string): Promise<string> =>
  Bun.password.hash(password, ARGON2ID)

/**
 * Whether the password matches the hash. Without a hash (unknown user) it returns false after the
 * same work, so that response times do not reveal which addresses have accounts.
 */
export async function isPassword(password: string, password_hash: string | undefined) {
  const isMatch = await Bun.password.verify(password, password_hash ?? (await dummyHash))
  return isMatch && password_hash !== undefined
}

const dummyHash = hashPassword(crypto.randomUUID())
