import type { PageSink } from './page-sink.ts'

export interface LogPages {
  write(line: string): void
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

  return {
    write(line) {
      const bytesMax = line.length * UTF8_BYTES_MAX
      if (used + bytesMax > PAGE_BYTES) flush()
      if (bytesMax > PAGE_BYTES) sink.write(Buffer.from(line))
      else used += page.write(line, used)
    },
    flush,
  }
}
