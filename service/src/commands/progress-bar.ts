/** A progress bar on a terminal; elsewhere, a line every two seconds. */
export interface ProgressBar {
  /** From 0 to 1. */
  show(share: number): void
  finish(text: string): void
}

const WIDTH = 30
const LINE_MS = 2_000

export function createProgressBar(
  stream: { isTTY?: boolean; write(text: string): unknown },
  name: string,
): ProgressBar {
  const startMs = performance.now()
  let lineAtMs = Number.NEGATIVE_INFINITY
  const seconds = () => Math.round((performance.now() - startMs) / 1_000)

  return {
    show(share) {
      const percent = `${Math.floor(share * 100)} %`
      if (stream.isTTY) {
        const full = Math.round(share * WIDTH)
        const bar = '#'.repeat(full) + '.'.repeat(WIDTH - full)
        stream.write(`\r\u001b[K${name} [${bar}] ${percent}, ${seconds()} s`)
      } else if (performance.now() - lineAtMs >= LINE_MS) {
        lineAtMs = performance.now()
        stream.write(`${name}: ${percent} after ${seconds()} s\n`)
      }
    },
    finish(text) {
      stream.write(`${stream.isTTY ? '\r\u001b[K' : ''}${text}\n`)
    },
  }
}
