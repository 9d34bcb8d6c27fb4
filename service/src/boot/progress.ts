import { CLEAR_LINE, type TextStream } from '../lib/terminal.ts'

/** Shows how far long work has come: one line that is updated on a terminal, and a line now and then elsewhere. */
export interface Progress {
  /** `share` is from 0 to 1, if it is known. */
  show(text: string, share?: number): void
  /** Removes the updated line, so that the result can take its place. */
  clear(): void
}

const BAR_WIDTH = 30
const REDRAW_MS = 250
const LINE_MS = 5_000
const COLUMNS = 80

interface Options {
  /** Elsewhere than on a terminal, the first line is written after this time. */
  quietMs?: number
  /** Elsewhere than on a terminal, gets what would be a line of text. */
  onLine?(text: string, seconds: number): void
}

export function createProgress(stream: TextStream, { quietMs = LINE_MS, onLine }: Options = {}): Progress {
  let startMs = performance.now()
  let shown: { text: string; share: number | undefined } | undefined
  let nextLineMs = startMs + quietMs
  let timer: NodeJS.Timeout | undefined
  const countSeconds = () => Math.floor((performance.now() - startMs) / 1_000)
  const describe = (share: number | undefined) =>
    `${share === undefined ? '' : `${Math.floor(share * 100)} %, `}${countSeconds()} s`

  function draw() {
    if (!shown) return
    const { text, share } = shown
    const plain = `${text} (${describe(share)})`
    if (stream.isTTY) {
      const line = share === undefined ? plain : `${text} ${drawBar(share)} ${describe(share)}`
      // A line that wraps could not be cleared.
      stream.write(CLEAR_LINE + line.slice(0, Math.max(0, (stream.columns || COLUMNS) - 1)))
    } else if (performance.now() >= nextLineMs) {
      nextLineMs = performance.now() + LINE_MS
      if (onLine) onLine(text, countSeconds())
      else stream.write(`${plain}\n`)
    }
  }

  return {
    show(text, share) {
      if (text !== shown?.text) startMs = performance.now()
      shown = { text, share }
      draw()
      // The time goes on while the work takes long, and a line of the log may have taken the place of this one.
      timer ??= setInterval(draw, REDRAW_MS).unref()
    },
    clear() {
      clearInterval(timer)
      timer = undefined
      if (shown && stream.isTTY) stream.write(CLEAR_LINE)
      shown = undefined
    },
  }
}

function drawBar(share: number): string {
  const full = Math.round(share * BAR_WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`
}
