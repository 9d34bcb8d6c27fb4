export type RunLog = ReturnType<typeof createRunLog>

/** The log of a run in its order, although what is put off for the machine has its lines late. */
export function createRunLog() {
  const pieces: string[][] = []
  return {
    say(line: string): void {
      pieces.push([line])
    },
    /** A place that is filled later. */
    reserve(): string[] {
      const lines: string[] = []
      pieces.push(lines)
      return lines
    },
    /** What stands behind this place never happened. */
    cutBehind(lines: string[]): void {
      pieces.length = pieces.indexOf(lines) + 1
    },
    lines: (): string[] => pieces.flat(),
  }
}
