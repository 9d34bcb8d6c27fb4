/**
 * Random numbers that are the same for the same seed. Tests print it, and `SEED=… npx vitest run …` replays it. Each
 * name has its own sequence, so that one part of a test does not depend on the timing of another.
 */
export function seededRandom(seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))): {
  seed: number
  random(): number
  of(name: string): () => number
} {
  const of = (name: string) => {
    let mixed = seed >>> 0
    for (const letter of name) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01_00_01_93) >>> 0
    return mulberry32(mixed)
  }
  return { seed, random: mulberry32(seed >>> 0), of }
}

function mulberry32(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
