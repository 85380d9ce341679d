import { secretKey } from "./config"

const NONCE_BYTES = 12 // AES-GCM's size; random, so one key may encrypt 2^32 secrets

/**
 * Encrypts a secret that must be readable later (AES-256-GCM, key derived from SECRET_KEY).
 * The same `owner` is needed to decrypt it, so the text is useless when copied to another row.
 * Returns base64.
 */
export async function encrypt(secret: string, owner: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const encrypted = await crypto.subtle.encrypt(
    cipher(iv, owner),
    await derivedKey(),
    Buffer.from(secret),
  )
  return Buffer.concat([iv, new Uint8Array(encrypted)]).toString("base64")
}

/** Decrypts a secret. Throws if it was encrypted with another SECRET_KEY or for another owner. */
export async function decrypt(encrypted: string, owner: string): Promise<string> {
  const bytes = Buffer.from(encrypted, "base64")
  const [iv, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
  const secret = await crypto.subtle
    .decrypt(cipher(iv, owner), await derivedKey(), rest)
    .catch(() => Promise.reject(new Error("Cannot decrypt a secret. Has SECRET_KEY changed?")))
  return Buffer.from(secret).toString()
}

const cipher = (iv: Uint8Array<ArrayBuffer>, owner: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: Buffer.from(owner),
})

let key: Promise<CryptoKey> | undefined

const derivedKey = () => {
  key ??= deriveKey()
  return key
}

async function deriveKey() {
  const base = await crypto.subtle.importKey("raw", Buffer.from(secretKey()), "HKDF", false, [
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
