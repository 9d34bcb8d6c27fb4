import type { PageSink } from './page-sink.ts'

export interface LogPages {
  write(line: string): void
  /** The same for a line that is known to hold nothing but ASCII, at half the cost. */
  writeAscii(line: string): void
  flush(): void
}

const PAGE_BYTES = 64 * 1024
const UTF8_BYTES_MAX = 3

/**
 * Gathers log lines into pages. There is a line for every request: encoding each into its place
 * costs a fraction of what joining strings and encoding them later does.
 */
export function createLogPages(sink: PageSink): LogPages {
  let page = Buffer.allocUnsafeSlow(PAGE_BYTES)
  let used = 0

  function flush() {
    if (used === 0) return
    sink.write(page.subarray(0, used))
    page = Buffer.allocUnsafeSlow(PAGE_BYTES)
    used = 0
  }

  function add(line: string, bytesMax: number, encoding: 'utf8' | 'latin1') {
    if (used + bytesMax > PAGE_BYTES) flush()
    if (bytesMax > PAGE_BYTES) sink.write(Buffer.from(line))
    else used += page.write(line, used, encoding)
  }

  return {
    write: line => add(line, line.length * UTF8_BYTES_MAX, 'utf8'),
    writeAscii: line => add(line, line.length, 'latin1'),
    flush,
  }
}
