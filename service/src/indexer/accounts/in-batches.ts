import { isRefusedData } from '../../store/refused-data.ts'

/**
 * Works batch by batch. A batch that the store refuses is halved until the refused item is alone and can be skipped:
 * data that anyone can write to the chain must not hold up the rest.
 */
export async function inBatches<T>(
  all: readonly T[],
  size: number,
  work: (batch: T[]) => Promise<void>,
  onRefused: (one: T, error: unknown) => void,
): Promise<void> {
  const waiting = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )
  for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
    try {
      await work(batch)
    } catch (error) {
      if (!isRefusedData(error)) throw error
      const half = Math.floor(batch.length / 2)
      if (half === 0) onRefused(batch[0] as T, error)
      else waiting.unshift(batch.slice(0, half), batch.slice(half))
    }
  }
}
