import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKeypair, signTransaction } from '@slipway/local-chain/ledger/keypair'
import { systemTransfer } from '@slipway/local-chain/ledger/system-instructions'
import { type Child, startChild } from '../lib/child.ts'
import { type ChildServer, type LoadSample, measureLoad } from '../lib/measure-load.ts'
import { median, printTable } from '../lib/report.ts'
import { TURNS } from '../lib/turns.ts'

const ACCOUNTS = 100
const SENDS = 1_500
const CONNECTIONS = 16

interface Turn {
  /** One request that is repeated, or several that are sent once each, because a transaction can land only once. */
  sent: object | object[]
  /** Throws unless the chain did what was requested. */
  check?: () => Promise<void>
}

interface Scenario {
  name: string
  prepare(port: number): Promise<Turn>
}

/**
 * Compares the request rate of the embedded chain with raw `node:http` that accepts the same requests and answers with
 * the same bytes. If a figure of the service comes close to these, the chain is its limit.
 */
export async function benchChain(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  const [load, chain] = [startChild(), startChild()]
  try {
    const { port, accounts } = await chain.call<{ port: number; accounts: string[] }>('serveChain', dataDir)
    const read = [accounts.slice(0, ACCOUNTS), { encoding: 'base64', commitment: 'confirmed' }]
    const scenarios: Scenario[] = [
      {
        name: `getMultipleAccounts (${ACCOUNTS})`,
        prepare: async () => ({ sent: message('getMultipleAccounts', read) }),
      },
      { name: 'sendTransaction', prepare: at => signTransfers(at, { skipPreflight: false }) },
      { name: 'sendTransaction, no preflight', prepare: at => signTransfers(at, { skipPreflight: true }) },
    ]
    const rows: string[][] = []
    for (const scenario of scenarios) rows.push(await compare(scenario, { load, chain, port }))
    printTable(
      'The RPC server of the embedded chain',
      ['', 'raw per second', 'chain per second', 'chain / raw', 'CPU µs raw', 'CPU µs chain'],
      rows,
    )
  } finally {
    load.stop()
    chain.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function compare(
  { name, prepare }: Scenario,
  { load, chain, port }: { load: Child; chain: Child; port: number },
): Promise<string[]> {
  const [example] = [(await prepare(port)).sent].flat()
  const raw = startChild()
  const rawPort = await raw.call<number>('serveAnswer', await post(port, example as object))
  const samples: { raw: LoadSample; chain: LoadSample }[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    const { sent, check } = await prepare(port)
    const ofRaw = () => measure(load, { child: raw, port: rawPort }, sent)
    const ofChain = () => measure(load, { child: chain, port }, sent)
    if (turn % 2 === 0) samples.push({ raw: await ofRaw(), chain: await ofChain() })
    else {
      const second = await ofChain()
      samples.push({ chain: second, raw: await ofRaw() })
    }
    await check?.()
  }
  raw.stop()
  const of = (kind: 'raw' | 'chain', figure: keyof LoadSample) =>
    median(samples.map(sample => sample[kind][figure]))
  return [
    name,
    of('raw', 'perSecond').toFixed(0),
    of('chain', 'perSecond').toFixed(0),
    median(samples.map(sample => sample.chain.perSecond / sample.raw.perSecond)).toFixed(3),
    of('raw', 'cpuMicros').toFixed(0),
    of('chain', 'cpuMicros').toFixed(0),
  ]
}

function measure(load: Child, server: ChildServer, sent: Turn['sent']): Promise<LoadSample> {
  const isOnce = Array.isArray(sent)
  return measureLoad(load, server, {
    request: isOnce ? sent.map(toHttp) : toHttp(sent),
    connections: CONNECTIONS,
    seconds: isOnce ? 30 : 0.7,
    warmUpSeconds: isOnce ? 0 : 0.3,
  })
}

/** Transfers to one new account. The amounts differ, because equal transfers would be the same transaction. */
async function signTransfers(port: number, options: { skipPreflight: boolean }): Promise<Turn> {
  const [payer, friend] = [createKeypair(), createKeypair()]
  await ask(port, 'requestAirdrop', [payer.address, 10_000_000_000])
  const { value } = await ask<{ value: { blockhash: string } }>(port, 'getLatestBlockhash', [confirmed])
  const amounts = Array.from({ length: SENDS }, (_, at) => 1_000_000 + at)
  const sent = amounts.map(amount => {
    const transfer = systemTransfer(payer.address, friend.address, BigInt(amount))
    const bytes = signTransaction([payer], [transfer], value.blockhash)
    return message('sendTransaction', [
      Buffer.from(bytes).toString('base64'),
      { encoding: 'base64', preflightCommitment: 'confirmed', ...options },
    ])
  })
  async function check() {
    const arrived = await ask<{ value: number }>(port, 'getBalance', [friend.address, confirmed])
    const total = amounts.reduce((sum, amount) => sum + amount)
    if (arrived.value !== total) throw new Error(`${arrived.value} of ${total} lamports arrived`)
  }
  return { sent, check }
}

const confirmed = { commitment: 'confirmed' }
const message = (method: string, params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params })

async function ask<T>(port: number, method: string, params: unknown[]): Promise<T> {
  return (JSON.parse(await post(port, message(method, params))) as { result: T }).result
}

async function post(port: number, body: object): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer.text()
}

function toHttp(body: object): string {
  const text = JSON.stringify(body)
  return `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
}
