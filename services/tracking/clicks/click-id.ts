const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ" // Crockford's base 32
const RANDOM_BYTES = 10
const POOL_BYTES = 1_000 * RANDOM_BYTES // one call of the generator per id would dominate the cost

const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/**
 * Generates `clk_` and a ULID (behaviour 4.1.3): 48 bits of time, so that indexes grow at their
 * end, and 80 fresh random bits, because knowing a click_id is enough to claim its attribution.
 */
export function generateClickId(): string {
  return `clk_${base32(Date.now(), 10)}${randomHalf()}${randomHalf()}`
}

/** Returns 40 random bits as 8 digits. A number holds no more than 53 bits. */
function randomHalf(): string {
  if (used === POOL_BYTES) {
    crypto.getRandomValues(pool)
    used = 0
  }
  let bits = 0
  for (const end = used + RANDOM_BYTES / 2; used < end; used++) bits = bits * 256 + pool[used]!
  return base32(bits, 8)
}

const PAIRS = [...ALPHABET].flatMap(first => [...ALPHABET].map(second => first + second))

/** Encodes a value two digits at a time: `digits` must be even. */
function base32(value: number, digits: number): string {
  let text = ""
  for (let rest = value; text.length < digits; rest = Math.floor(rest / 1_024)) {
    text = PAIRS[rest % 1_024] + text
  }
  return text
}
