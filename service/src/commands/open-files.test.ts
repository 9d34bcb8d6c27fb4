import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runCommandLine } from '../main.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/slipway.js', import.meta.url))

test.skipIf(process.platform !== 'linux')(
  'a process that may open too few files stops with one line that names the limit',
  async () => {
    const script = 'ulimit -n 100 && exec "$0" "$1" serve'
    const finished = await new Promise(resolve =>
      execFile('sh', ['-c', script, process.execPath, PROGRAM], (error, stdout, stderr) =>
        resolve({ code: error?.code, stdout, stderr }),
      ),
    )
    expect(finished).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'slipway: This process may open 100 files, but Slipway needs at least 256. Raise the limit: "ulimit -n 65536" in a shell, or "LimitNOFILE=65536" in a systemd unit.\n',
    })
  },
)

test('running out of files during start-up prints one line that says what to do', async () => {
  let written = ''
  const stream = (isTTY: boolean) => ({
    isTTY,
    write(text: string | Uint8Array) {
      written += text
      return true
    },
  })
  const env = new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        if (name === 'PORT')
          throw Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE' })
      },
    },
  )
  const host = { env, stdin: process.stdin, stdout: stream(false), stderr: stream(false) }
  expect(await runCommandLine(['serve'], host as never)).toBe(1)
  expect(JSON.parse(written)).toEqual({
    level: 'fatal',
    time: expect.any(String),
    msg: 'Too many files are open. Raise the limit: "ulimit -n 65536" in a shell, or "LimitNOFILE=65536" in a systemd unit.',
  })
})
