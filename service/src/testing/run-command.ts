import { Readable } from 'node:stream'
import { runCommandLine } from '../main.ts'
import { withoutProgress } from './run-slipway.ts'

interface Options {
  /** Whether the streams claim to be a terminal. */
  isTerminal?: boolean
  /** What the operator types. */
  input?: string
}

/** Runs the command line in this process, which is faster than `runSlipway`. For commands that end by themselves. */
export async function runCommand(
  args: string[],
  env: Record<string, string>,
  { isTerminal = false, input = '' }: Options = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' }
  const collect = (name: keyof typeof written) => ({
    isTTY: isTerminal,
    write: (text: string | Uint8Array) => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
    },
  })
  const stdin = Object.assign(Readable.from([input]), { isTTY: isTerminal })
  const code = await runCommandLine(args, {
    env,
    stdin,
    stdout: collect('stdout'),
    stderr: collect('stderr'),
  })
  return { code, ...written, stderr: withoutProgress(written.stderr) }
}
