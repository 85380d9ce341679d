import { config, secretKey } from "./config"

const NONCE_BYTES = 12 // AES-GCM's size; random, so one key may encrypt 2^32 secrets

/**
 * Encrypts a secret that must be readable later (AES-256-GCM, key derived from SECRET_KEY).
 * The same `owner` is needed to decrypt it, so the text is useless when copied to another row.
 * Returns base64.
 */
export async function encrypt(secret: string, owner: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const key = await derivedKey(secretKey())
  const encrypted = await crypto.subtle.encrypt(cipher(iv, owner), key, Buffer.from(secret))
  return Buffer.concat([iv, new Uint8Array(encrypted)]).toString("base64")
}

/** Decrypts a secret. Throws if neither SECRET_KEY nor SECRET_KEY_PREVIOUS encrypted it for `owner`. */
export async function decrypt(encrypted: string, owner: string): Promise<string> {
  const bytes = Buffer.from(encrypted, "base64")
  const [iv, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
  for (const secret_key of [secretKey(), config.secret_key_previous]) {
    if (!secret_key) continue
    const key = await derivedKey(secret_key)
    const secret = await crypto.subtle.decrypt(cipher(iv, owner), key, rest).catch(() => null)
    if (secret) return Buffer.from(secret).toString()
  }
  throw new Error(
    "SECRET_KEY does not open a stored secret. Set SECRET_KEY_PREVIOUS to the key that sealed it," +
      " or, if that is lost, run `npm run reseal -- --discard`.",
  )
}

const cipher = (iv: Uint8Array<ArrayBuffer>, owner: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: Buffer.from(owner),
})

const keys = new Map<string, Promise<CryptoKey>>()

function derivedKey(secret_key: string): Promise<CryptoKey> {
  const key = keys.get(secret_key) ?? deriveKey(secret_key)
  keys.set(secret_key, key)
  return key
}

async function deriveKey(secret_key: string) {
  const base = await crypto.subtle.importKey("raw", Buffer.from(secret_key), "HKDF", false, [
    "deriveKey",
  ])
  const derivation = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: Buffer.from("secret-box"), // stored secrets depend on it
  }
  const cipher = { name: "AES-GCM", length: 256 }
  return crypto.subtle.deriveKey(derivation, base, cipher, false, ["encrypt", "decrypt"])
}
