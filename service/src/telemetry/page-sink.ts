import { write, writeSync } from 'node:fs'

/** Takes whole pages; a terminal, a pipe or a file. */
export interface PageSink {
  write(page: Buffer): void
}

const FULL_PIPE_RETRY_MS = 10
/** A reader that stopped reading costs this much memory, and then lines. */
const WAITING_PAGES_MAX = 256

/** Writes pages one after the other off the event loop; what is left when the process ends is written then. */
export function createPageSink(fd: number): PageSink & { finish(): void } {
  const waiting: Buffer[] = []
  let isWriting = false
  let isFinished = false

  function writeNext() {
    const page = waiting[0]
    if (!page || isWriting) return
    isWriting = true
    write(fd, page, (error, written) => {
      isWriting = false
      if (error?.code === 'EAGAIN') {
        setTimeout(writeNext, FULL_PIPE_RETRY_MS)
        return
      }
      // Nobody reads any more: that must not take the service along.
      if (error || written === page.length) waiting.shift()
      else waiting[0] = page.subarray(written)
      writeNext()
    })
  }

  function writeNow(page: Buffer) {
    try {
      for (let at = 0; at < page.length; ) at += writeSync(fd, page, at)
    } catch {
      // Nobody reads, or a pipe is full: the process ends all the same.
    }
  }

  return {
    write(page) {
      // A write that is only begun now would not be done before the process is gone.
      if (isFinished) return writeNow(page)
      if (waiting.length < WAITING_PAGES_MAX) waiting.push(page)
      writeNext()
    },
    finish() {
      isFinished = true
      // A page that is being written right now reaches its end without us.
      for (const page of (isWriting ? waiting.splice(1) : waiting).splice(0)) writeNow(page)
    },
  }
}
