import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getAddressEncoder } from '@solana/kit'
import { expect, test } from 'vitest'
import { type ChainAccount, StartError } from '../src/index.ts'
import { createKeypair } from '../src/ledger/keypair.ts'
import { fetchPrograms } from '../src/programs/fetch-programs.ts'
import { loadPrograms } from '../src/programs/load-programs.ts'
import { startChain, temporaryFolder } from './start-chain.ts'

const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as never

/** A deployed program as the loader keeps it: an account that points to another with the binary behind a head. */
async function chainWith(elf: Uint8Array) {
  const local = await startChain()
  const [program, data] = [createKeypair().address, createKeypair().address]
  const account = (bytes: Uint8Array) => ({
    lamports: 10n ** 10n,
    owner: LOADER,
    data: bytes,
    executable: false,
  })
  const pointer = new Uint8Array(36)
  pointer[0] = 2
  pointer.set(getAddressEncoder().encode(data), 4)
  local.chain.writeAccounts(
    new Map([
      [program, account(pointer)],
      [data, account(Uint8Array.from([...new Uint8Array(45), ...elf]))],
    ]),
  )
  return { local, program, data }
}

test('binaries are fetched whole, in pieces, and found by the next start', async () => {
  const elf = new Uint8Array(600_000).fill(7)
  elf.set([0x7f, 0x45, 0x4c, 0x46])
  const { local, program } = await chainWith(elf)
  const directory = join(temporaryFolder(), 'programs')
  const seen: number[] = []
  await fetchPrograms({
    rpcUrl: local.rpcUrl,
    directory,
    programs: [{ name: 'Test', address: program }],
    onProgress: (_, bytes, total) => seen.push(bytes / total),
  })
  expect(Buffer.compare(readFileSync(join(directory, `${program}.so`)), elf)).toBe(0)
  expect(seen.length).toBeGreaterThan(2)
  expect(seen.at(-1)).toBe(1)
  expect([...loadPrograms(directory).keys()]).toEqual([program])
})

test('a program that is upgraded while it is fetched is not pieced together from two', async () => {
  const elf = new Uint8Array(600_000).fill(7)
  elf.set([0x7f, 0x45, 0x4c, 0x46])
  const { local, program, data } = await chainWith(elf)
  const directory = temporaryFolder()
  const upgrade = () => {
    const account = local.chain.account(data) as ChainAccount
    // The slot of the last deployment is in the head.
    local.chain.writeAccounts(new Map([[data, { ...account, data: account.data.with(4, 1) }]]))
  }
  await expect(
    fetchPrograms({
      rpcUrl: local.rpcUrl,
      directory,
      programs: [{ name: 'Test', address: program }],
      onProgress: upgrade,
    }),
  ).rejects.toThrow('Test was upgraded while it was being fetched. Run it again.')
  expect(readdirSync(directory)).toEqual([])
})

test('what is missing, not a program, or out of reach is said plainly and leaves no file', async () => {
  const { local, program } = await chainWith(new Uint8Array(100))
  const directory = temporaryFolder()
  const fetching = (rpcUrl: string, address = program) =>
    fetchPrograms({ rpcUrl, directory, programs: [{ name: 'Test', address }] })
  await expect(fetching(local.rpcUrl)).rejects.toThrow('What lies at Test is not a program binary.')
  await expect(fetching(local.rpcUrl, createKeypair().address)).rejects.toThrow(
    /does not exist on 127\.0\.0\.1/,
  )
  // A program that the node itself only stands in for.
  await expect(fetching(local.rpcUrl, local.chain.standIns[0])).rejects.toThrow(
    /^127\.0\.0\.1:\d+ has no binary of Test\. Ask another node\.$/,
  )
  await expect(fetching('http://127.0.0.1:9/?api-key=secret')).rejects.toThrow(
    /^Could not reach 127\.0\.0\.1:9 \(.*\)\. Is there a network\?$/,
  )
  expect(readdirSync(directory)).toEqual([])
  expect(existsSync(join(directory, `${program}.so`))).toBe(false)
})

test('a binary that calls a program which is only stood in for stops the start, with what to do', async () => {
  const directory = temporaryFolder()
  const at = (address: string) => join(directory, `${address}.so`)
  const elf = Buffer.from([0x7f, 0x45, 0x4c, 0x46])
  writeFileSync(at('1DREGFgysWYxLnRnKQnwrxnJQeSMk2HmGaC6whw2B2p'), elf)
  expect(() => loadPrograms(directory)).toThrow(
    /calls CoREEN\w+, whose binary is not beside it\. Fetch that too/,
  )
  writeFileSync(at('CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d'), elf)
  expect(loadPrograms(directory).size).toBe(2)
})

test('a binary that the machine cannot run stops the start, with what to do', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'programs'))
  const program = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d'
  writeFileSync(join(dataDir, 'programs', `${program}.so`), Buffer.from([0x7f, 0x45, 0x4c, 0x46]))
  await expect(startChain({ dataDir })).rejects.toThrow(
    /^The machine cannot run programs\/CoRE.*Fetch it again/,
  )
  await expect(startChain({ dataDir })).rejects.toBeInstanceOf(StartError)
})
