export type Random = ReturnType<typeof seededRandom>

/** Creates a random number generator that yields the same sequence for the same seed. */
export function seededRandom(seed: string) {
  let state = Bun.hash.crc32(seed)

  /** From 0 inclusive to 1 exclusive (mulberry32). */
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    happens: (probability: number) => fraction() < probability,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
  }
}
