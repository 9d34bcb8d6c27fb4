import { constants, fstatSync, openSync, write as writeLater, writeSync } from 'node:fs'

/** Text is buffered for this long, or until there is enough for one write. */
const FLUSH_MS = 200
const WRITE_LENGTH = 16_000
/** If the reader of a pipe stops reading, further lines are dropped. */
const WAITING_LENGTH_MAX = 16 << 20
/** Pause before a pipe that is full is written to again. */
const RETRY_MS = 50
/** A pipe that no one reads holds up the exit for this long. */
const EXIT_MS_MAX = 2_000

export interface LogOutput {
  /** Whole lines. */
  write(lines: string): void
  /** Writes what is buffered. `onDone` is called when all of it was written or dropped. */
  flush(onDone?: () => void): void
}

/**
 * Writes lines to a file, a pipe or a terminal (`isSync`). Lines that can't be written, for example because the disk is
 * full, are dropped: nothing waits for them, least of all the end of the process.
 */
export function openLogOutput(
  given: number,
  { isSync, onDropped }: { isSync: boolean; onDropped(lines: number): void },
): LogOutput {
  const fd = openOwn(given)
  let waiting = ''
  /** What is being written. */
  let writing: Buffer | undefined
  /** Whether `writing` waits for the reader of a pipe. */
  let isPaused = false
  /** After a line that was cut, the next one must start on its own. */
  let isLineOpen = false
  let timer: NodeJS.Timeout | undefined
  let onSettled: (() => void)[] = []

  function start() {
    clearTimeout(timer)
    timer = undefined
    if (writing) return
    if (waiting === '') return settle()
    writing = takeWaiting()
    writeNext(writing)
  }

  function takeWaiting() {
    const bytes = Buffer.from(isLineOpen ? `\n${waiting}` : waiting)
    waiting = ''
    return bytes
  }

  function writeNext(bytes: Buffer) {
    isPaused = false
    writeLater(fd, bytes, (error, count) => {
      if (error && isFull(error)) {
        isPaused = true
        setTimeout(() => writeNext(bytes), RETRY_MS).unref()
        return
      }
      writing = error ? drop(bytes) : noteWritten(bytes, count)
      if (writing) writeNext(writing)
      else if (waiting.length >= WRITE_LENGTH || onSettled.length > 0) start()
      else if (waiting === '') settle()
      // The timer of these lines may have fired meanwhile.
      else timer ??= setTimeout(start, FLUSH_MS).unref()
    })
  }

  function settle() {
    unfinished.delete(finish)
    const settled = onSettled
    onSettled = []
    for (const onDone of settled) onDone()
  }

  /** Returns what is left to write. */
  function noteWritten(bytes: Buffer, count: number): Buffer | undefined {
    if (count > 0) isLineOpen = bytes[count - 1] !== NEWLINE
    return count < bytes.length ? bytes.subarray(count) : undefined
  }

  function drop(bytes: Buffer): undefined {
    const newlines = bytes.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0)
    // The first newline may only end a line that was cut.
    onDropped(bytes[0] === NEWLINE ? newlines - 1 : newlines)
  }

  /** Writes synchronously, when the process exits. A write that is under way in another thread is left to it. */
  function finish() {
    let rest: Buffer | undefined = isPaused && writing ? writing : undefined
    if (isPaused) writing = undefined
    const endMs = performance.now() + EXIT_MS_MAX
    while (rest || waiting !== '') {
      const bytes = rest ?? takeWaiting()
      try {
        rest = noteWritten(bytes, writeSync(fd, bytes))
      } catch (error) {
        rest = isFull(error) && performance.now() < endMs ? bytes : drop(bytes)
        if (rest) sleepSync(RETRY_MS)
      }
    }
  }

  return {
    write(lines) {
      if (waiting.length + lines.length > WAITING_LENGTH_MAX) return drop(Buffer.from(lines))
      waiting += lines
      if (isSync) return finish()
      unfinished.add(finish)
      if (waiting.length >= WRITE_LENGTH) start()
      else timer ??= setTimeout(start, FLUSH_MS).unref()
    },
    flush(onDone) {
      if (onDone) onSettled.push(onDone)
      start()
    },
  }
}

/** The `finish` functions of outputs that have something to write. */
const unfinished = new Set<() => void>()
process.on('exit', () => {
  for (const finish of unfinished) finish()
})

/**
 * Another program that has the same pipe can make writes block, for ever if nobody reads it. A description of our own is not
 * affected. Only Linux has them.
 */
function openOwn(fd: number): number {
  try {
    if (!fstatSync(fd).isFIFO()) return fd
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return fd
  }
}

const NEWLINE = 10

/** The reader of a pipe has not read enough yet. */
const isFull = (error: unknown) => ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')

const sleepSync = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
