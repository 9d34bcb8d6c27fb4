import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CORE_PROGRAM,
  GENESIS_PROGRAM,
  IDENTITY_PROGRAM,
  TOKEN_METADATA_PROGRAM,
} from '@slipway/launch-model/programs'
import { type Address, getAddressDecoder } from '@solana/kit'
import { UPGRADEABLE_LOADER } from '../ledger/account.ts'

/** The programs that Slipway uses, in the order in which they are fetched. */
const PROGRAMS: readonly { readonly name: string; readonly address: Address }[] = [
  { name: 'MPL Core', address: CORE_PROGRAM },
  { name: 'MPL Agent Identity', address: IDENTITY_PROGRAM },
  { name: 'Genesis', address: GENESIS_PROGRAM },
  { name: 'Token Metadata', address: TOKEN_METADATA_PROGRAM },
]

/** Length of the header before the binary: type, slot of the last deployment, upgrade authority. */
const PROGRAM_DATA_HEADER_BYTES = 45
const CHUNK_BYTES = 256 * 1024
const TIMEOUT_MS = 30_000
const ATTEMPTS = 4

type Progress = (name: string, bytes: number, total: number) => void

/**
 * Fetches binaries from an RPC node into `<directory>/<program address>.so`. A file appears only when it is complete.
 */
export async function fetchPrograms(options: {
  rpcUrl: string
  directory: string
  programs?: typeof PROGRAMS
  onProgress?: Progress
}): Promise<void> {
  const { rpcUrl, directory, programs = PROGRAMS, onProgress = () => {} } = options
  mkdirSync(directory, { recursive: true })
  for (const { name, address } of programs) {
    const binary = await fetchBinary(rpcUrl, name, address, onProgress)
    const path = join(directory, `${address}.so`)
    try {
      writeFileSync(`${path}.tmp`, binary)
      renameSync(`${path}.tmp`, path)
    } finally {
      rmSync(`${path}.tmp`, { force: true })
    }
  }
}

async function fetchBinary(
  rpcUrl: string,
  name: string,
  address: Address,
  onProgress: Progress,
): Promise<Buffer> {
  const program = await fetchSlice(rpcUrl, address, 0, 36)
  if (!program) throw new Error(`${name} (${address}) does not exist on ${hostOf(rpcUrl)}.`)
  if (program.owner !== UPGRADEABLE_LOADER)
    throw new Error(`${name} (${address}) is not an upgradeable program.`)
  const data = getAddressDecoder().decode(program.bytes.subarray(4, 36))
  const header = await fetchSlice(rpcUrl, data, 0, PROGRAM_DATA_HEADER_BYTES)
  if (!header) throw new Error(`${name} has been closed on ${hostOf(rpcUrl)}.`)
  const total = header.space - PROGRAM_DATA_HEADER_BYTES
  // For example on another local chain, which has only a stand-in for the program.
  if (total <= 0) throw new Error(`${hostOf(rpcUrl)} has no binary of ${name}. Use another node.`)

  const chunks: Buffer[] = []
  for (let done = 0; done < total; ) {
    onProgress(name, done, total)
    const chunk = await fetchSlice(
      rpcUrl,
      data,
      PROGRAM_DATA_HEADER_BYTES + done,
      Math.min(CHUNK_BYTES, total - done),
    )
    if (!chunk || chunk.bytes.length === 0)
      throw new Error(`${hostOf(rpcUrl)} returned only a part of ${name}.`)
    chunks.push(chunk.bytes)
    done += chunk.bytes.length
  }
  const after = await fetchSlice(rpcUrl, data, 0, PROGRAM_DATA_HEADER_BYTES)
  if (!after?.bytes.equals(header.bytes))
    throw new Error(`${name} was upgraded while it was being fetched. Run the command again.`)
  const binary = Buffer.concat(chunks)
  if (binary.readUInt32BE(0) !== 0x7f454c46) throw new Error(`The data of ${name} is not a program binary.`)
  onProgress(name, total, total)
  return binary
}

type Slice = { owner: Address; space: number; bytes: Buffer }

async function fetchSlice(
  rpcUrl: string,
  address: Address,
  offset: number,
  length: number,
): Promise<Slice | undefined> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'getAccountInfo',
    params: [address, { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset, length } }],
  })
  const response = (await post(rpcUrl, body)) as {
    error?: { message: string }
    result?: { value: { owner: Address; space: number; data: [string, string] } | null }
  }
  if (response.error) throw new Error(`${hostOf(rpcUrl)} returned an error: ${response.error.message}`)
  const value = response.result?.value
  return value
    ? { owner: value.owner, space: value.space, bytes: Buffer.from(value.data[0], 'base64') }
    : undefined
}

/** Retries after a 429 or 5xx, which public nodes return under load, but not if the node is unreachable. */
async function post(rpcUrl: string, body: string): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    let response: Response
    try {
      response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    } catch (error) {
      const { cause, message } = error as Error & { cause?: { code?: string } }
      throw new Error(
        `Could not reach ${hostOf(rpcUrl)} (${cause?.code ?? message}). Check the URL and your network.`,
      )
    }
    if (response.ok) return response.json()
    await response.body?.cancel()
    const transient = response.status === 429 || response.status >= 500
    if (!transient || attempt === ATTEMPTS)
      throw new Error(`${hostOf(rpcUrl)} returned status ${response.status}.`)
    await new Promise(resolve => setTimeout(resolve, 1_000 * 2 ** attempt))
  }
}

/** The host only, because the paths and queries of RPC providers contain keys. */
const hostOf = (url: string): string => new URL(url).host
