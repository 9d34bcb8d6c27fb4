/** A transaction can be executed until the chain has this many more blocks than at its blockhash. */
export const BLOCKS_TO_EXPIRY = 150

/** A number of blocks in words, with the time that they take if that has been measured: `150 blocks (about … s now)`. */
export function describeBlocks(blocks: number, blockMs: number | undefined): string {
  const words = blocks === 1 ? '1 block' : `${blocks} blocks`
  if (blockMs === undefined) return words
  return `${words} (about ${Math.max(1, Math.round((blocks * blockMs) / 1_000))} s now)`
}
