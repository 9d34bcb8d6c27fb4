import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getAddressEncoder } from '@solana/kit'
import { expect, test } from 'vitest'
import type { ChainAccount } from '../ledger/account.ts'
import { createKeypair } from '../ledger/keypair.ts'
import { startChain, temporaryFolder } from '../testing/start-chain.ts'
import { fetchPrograms } from './fetch-programs.ts'
import { loadPrograms } from './load-programs.ts'

const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as never

/**
 * A program as the upgradeable loader stores it: an account that points to another, which holds a header and the
 * binary.
 */
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

test('a binary is fetched in chunks, and loadPrograms finds it', async () => {
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

test('a program that is upgraded during the fetch is refused, not mixed from two versions', async () => {
  const elf = new Uint8Array(600_000).fill(7)
  elf.set([0x7f, 0x45, 0x4c, 0x46])
  const { local, program, data } = await chainWith(elf)
  const directory = temporaryFolder()
  const upgrade = () => {
    const account = local.chain.account(data) as ChainAccount
    // The header contains the slot of the last deployment.
    local.chain.writeAccounts(new Map([[data, { ...account, data: account.data.with(4, 1) }]]))
  }
  await expect(
    fetchPrograms({
      rpcUrl: local.rpcUrl,
      directory,
      programs: [{ name: 'Test', address: program }],
      onProgress: upgrade,
    }),
  ).rejects.toThrow('Test was upgraded while it was being fetched. Run the command again.')
  expect(readdirSync(directory)).toEqual([])
})

test('a missing program, a wrong binary or an unreachable node is an error that leaves no file', async () => {
  const { local, program } = await chainWith(new Uint8Array(100))
  const directory = temporaryFolder()
  const fetching = (rpcUrl: string, address = program) =>
    fetchPrograms({ rpcUrl, directory, programs: [{ name: 'Test', address }] })
  await expect(fetching(local.rpcUrl)).rejects.toThrow('The data of Test is not a program binary.')
  await expect(fetching(local.rpcUrl, createKeypair().address)).rejects.toThrow(
    /does not exist on 127\.0\.0\.1/,
  )
  // A program for which the node only has a stand-in.
  await expect(fetching(local.rpcUrl, local.chain.standIns[0])).rejects.toThrow(
    /^127\.0\.0\.1:\d+ has no binary of Test\. Use another node\.$/,
  )
  await expect(fetching('http://127.0.0.1:9/?api-key=secret')).rejects.toThrow(
    /^Could not reach 127\.0\.0\.1:9 \(.*\)\. Check the URL and your network\.$/,
  )
  expect(readdirSync(directory)).toEqual([])
  expect(existsSync(join(directory, `${program}.so`))).toBe(false)
})

test('the command runs, and says how it is used', () => {
  const script = fileURLToPath(new URL('../../../scripts/chain-programs.js', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect([status, stderr.split('\n')[0]]).toEqual([2, '--rpc is missing.'])
})
