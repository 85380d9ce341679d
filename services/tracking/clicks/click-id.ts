const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ" // Crockford's base 32
const RANDOM_BYTES = 10
const POOL_BYTES = 1_000 * RANDOM_BYTES // asking for each id alone would cost more than the rest

const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/**
 * `clk_` and a ULID: 48 bits of time, so that indexes grow at their end, and 80 fresh random
 * bits, because whoever knows a click_id may claim its attribution (contract 4).
 */
export function mintClickId(): string {
  return `clk_${base32(Date.now(), 10)}${randomHalf()}${randomHalf()}`
}

/** 40 bits: a number holds 53. */
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

/** An even number of digits. */
function base32(value: number, digits: number): string {
  let text = ""
  for (let rest = value; text.length < digits; rest = Math.floor(rest / 1_024)) {
    text = PAIRS[rest % 1_024] + text
  }
  return text
}
