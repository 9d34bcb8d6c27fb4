import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPageSink } from './page-sink.ts'

test('what is handed over while the process ends is written before it is gone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-sink-'))
  const path = join(folder, 'log')
  const fd = openSync(path, 'a')
  onTestFinished(() => {
    closeSync(fd)
    rmSync(folder, { recursive: true })
  })
  const sink = createPageSink(fd)
  sink.finish()
  sink.write(Buffer.from('stopping\n'))
  sink.write(Buffer.from('stopped\n'))
  // Not a moment later: after the handlers of `exit` nothing of ours runs any more.
  expect(readFileSync(path, 'utf8')).toBe('stopping\nstopped\n')
})
