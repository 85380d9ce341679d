import { secretKey } from "./config"

const NONCE_BYTES = 12 // what AES-GCM wants: random, so one key may seal 2^32 secrets

/**
 * Seals a secret that must be read again, so that whoever sees the database cannot (AES-256-GCM,
 * under a key derived from SECRET_KEY). Only with the same `owner` does it open: copied to
 * another's row it is of no use there.
 */
export async function seal(secret: string, owner: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const sealed = await crypto.subtle.encrypt(
    cipher(iv, owner),
    await derived(),
    Buffer.from(secret),
  )
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64")
}

/** Throws where it was sealed under another SECRET_KEY or for another owner. */
export async function open(sealed: string, owner: string): Promise<string> {
  const bytes = Buffer.from(sealed, "base64")
  const [iv, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
  const secret = await crypto.subtle
    .decrypt(cipher(iv, owner), await derived(), rest)
    .catch(() => Promise.reject(new Error("A sealed secret does not open: is SECRET_KEY another?")))
  return Buffer.from(secret).toString()
}

const cipher = (iv: Uint8Array<ArrayBuffer>, owner: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: Buffer.from(owner),
})

let key: Promise<CryptoKey> | undefined

const derived = () => {
  key ??= derive()
  return key
}

async function derive() {
  const base = await crypto.subtle.importKey("raw", Buffer.from(secretKey()), "HKDF", false, [
    "deriveKey",
  ])
  const derivation = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: Buffer.from("secret-box"),
  }
  const cipher = { name: "AES-GCM", length: 256 }
  return crypto.subtle.deriveKey(derivation, base, cipher, false, ["encrypt", "decrypt"])
}
