export type RunLog = ReturnType<typeof createRunLog>

/** The log of a transaction. It stays in order, although the lines of queued instructions arrive late. */
export function createRunLog() {
  const pieces: string[][] = []
  return {
    add(line: string): void {
      pieces.push([line])
    },
    /** Reserves a position for lines that are added later. */
    reserve(): string[] {
      const lines: string[] = []
      pieces.push(lines)
      return lines
    },
    /** Drops everything after this position. */
    truncateAfter(lines: string[]): void {
      pieces.length = pieces.indexOf(lines) + 1
    },
    lines: (): string[] => pieces.flat(),
  }
}
