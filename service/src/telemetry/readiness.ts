/** One part that the service depends on. */
export interface ReadinessPart {
  name: string
  /** Resolves with a short description of its state; rejects if it does not work. */
  check(): Promise<string>
}

const CHECK_TIMEOUT_MS = 2_000

/** Returns one line per part, and whether all of them work. */
export async function checkReadiness(
  parts: readonly ReadinessPart[],
): Promise<{ ready: boolean; text: string }> {
  const lines = await Promise.all(
    parts.map(async ({ name, check }) => {
      try {
        return { ok: true, line: `${name}: ok, ${await withTimeout(check())}` }
      } catch (error) {
        // The line is public, so it does not contain the error's own message.
        const reason = error instanceof NotReady ? error.message : 'unreachable'
        return { ok: false, line: `${name}: failing, ${reason}` }
      }
    }),
  )
  return { ready: lines.every(({ ok }) => ok), text: lines.map(({ line }) => `${line}\n`).join('') }
}

/** An error whose message may be public. */
export class NotReady extends Error {}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NotReady(`no answer in ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
