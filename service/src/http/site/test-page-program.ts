import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SiteBuild } from './site-build.ts'

/** A stand-in for the program that renders pages: the path says how it behaves, and a page is the text of its URL. */
const PROGRAM = `
import { parentPort } from 'node:worker_threads'
const encode = text => Uint8Array.from(Buffer.from(text))
const toPage = text => ({ identity: encode(text), gzip: encode(text), br: encode(text) })
const send = message => parentPort.postMessage(message)
const asking = new Map()
const ask = (url, onAnswer) => {
  asking.set(asking.size, onAnswer)
  send({ kind: 'request', id: asking.size - 1, url })
}
parentPort.on('message', ({ kind, id, url, version, status }) => {
  if (kind === 'answer') return asking.get(id)(status)
  const render = (text = url) => send({ kind: 'page', id, status: 200, page: toPage(text) })
  const behave = {
    '/throws': () => send({ kind: 'failed', id, reason: 'Error: a component failed' }),
    '/loops': () => { for (;;); },
    '/never': () => {},
    '/blocks': () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(url.split('=')[1] ?? Infinity))
      render()
    },
    '/exits': () => process.exit(1),
    '/exits-after': () => { render(); setTimeout(() => process.exit(1)) },
    '/version': () => render(String(version)),
    '/asks': () => ask(url, () => render()),
    '/exits-if-told': () => ask(url, status => status === 200 ? render() : process.exit(1)),
  }[url.split('?')[0]] ?? render
  behave()
})
send({ kind: 'ready', errorPages: { 404: toPage('404'), 429: toPage('429'), 500: toPage('500'), 503: toPage('503') } })
`

export function createTestBuild(program = PROGRAM): SiteBuild {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const worker = join(folder, 'worker.mjs')
  writeFileSync(worker, program)
  const manifest = {
    themeScript: '',
    script: '',
    icon: '',
    preview: '',
    styles: [],
    fonts: [],
    pages: {},
    parts: {},
  }
  return { worker, files: new Map(), manifest }
}
