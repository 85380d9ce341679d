const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const // OWASP's 19 MiB

/** How many characters a new one has at least. */
export const PASSWORD_MIN = 10

/** What is stored of a password. */
export const hashPassword = (password: string): Promise<string> =>
  Bun.password.hash(password, ARGON2ID)

/**
 * Whether it is the password. Without a hash (no such user) the answer is no, after the same
 * work: how long a refusal takes must not tell which addresses are known here.
 */
export async function isPassword(password: string, password_hash: string | undefined) {
  const is_same = await Bun.password.verify(password, password_hash ?? (await nobodys))
  return is_same && password_hash !== undefined
}

const nobodys = hashPassword(crypto.randomUUID())
