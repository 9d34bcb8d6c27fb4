/** Random numbers that come again for the same seed, which is printed where it matters: `SEED=… npx vitest run …`. */
export function seededRandom(seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))): {
  seed: number
  random(): number
} {
  let state = seed >>> 0
  return {
    seed,
    // Mulberry32.
    random() {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    },
  }
}
