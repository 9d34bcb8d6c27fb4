/** One part that the service needs in order to serve. */
export interface ReadinessPart {
  name: string
  /** Resolves with a word on its state; rejects when it cannot serve. */
  check(): Promise<string>
}

const CHECK_TIMEOUT_MS = 2_000

/** A line for each part, and whether all of them can serve. */
export async function checkReadiness(
  parts: readonly ReadinessPart[],
): Promise<{ ready: boolean; text: string }> {
  const lines = await Promise.all(
    parts.map(async ({ name, check }) => {
      try {
        return { ok: true, line: `${name}: ok, ${await withTimeout(check())}` }
      } catch (error) {
        // The line is public: it says that a part fails, the log says why.
        const word = error instanceof NotReady ? error.message : 'unreachable'
        return { ok: false, line: `${name}: failing, ${word}` }
      }
    }),
  )
  return { ready: lines.every(({ ok }) => ok), text: lines.map(({ line }) => `${line}\n`).join('') }
}

/** Thrown by a check whose message may be shown. */
export class NotReady extends Error {}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NotReady(`no answer in ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
