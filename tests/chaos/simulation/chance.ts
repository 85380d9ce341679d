export type Chance = ReturnType<typeof chanceOf>

/** Chance that repeats itself: the same for the same seed. */
export function chanceOf(seed: string) {
  let state = Bun.hash.crc32(seed)

  /** From 0 up to 1 (mulberry32). */
  function share(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const below = (limit: number) => Math.floor(share() * limit)
  return {
    share,
    below,
    happens: (probability: number) => share() < probability,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
  }
}
