import { timingSafeEqual } from "node:crypto"

/** Compares two secrets in a time that says nothing about where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
