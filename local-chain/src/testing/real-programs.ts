import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '@solana/kit'
import { describe, test } from 'vitest'
import type { LocalChain } from '../start-local-chain.ts'
import {
  binaryPath,
  COMPARED_PROGRAMS,
  type ComparedProgram,
  hasBinary,
  REAL_PROGRAMS_TAG,
} from './report-skipped.ts'
import { startChain, temporaryFolder } from './start-chain.ts'
import { wallet } from './umi-wallet.ts'

export type Mode = 'stand-ins' | 'real programs'

const CORE_AND_IDENTITY: ComparedProgram[] = ['MPL Core', 'MPL Agent Identity']

/**
 * Declares the same tests twice: against the stand-ins and, if their binaries are present, against the real programs.
 */
export function describeModes(name: string, declare: (mode: Mode) => void): void {
  describe(`${name}, stand-ins`, () => declare('stand-ins'))
  describe.skipIf(!CORE_AND_IDENTITY.every(hasBinary))(
    `${name}, real programs`,
    { tags: [REAL_PROGRAMS_TAG] },
    () => declare('real programs'),
  )
}

/** Declares a test that is skipped unless the binaries of these programs are present. */
export function testRealPrograms(
  name: string,
  run: () => Promise<void>,
  { programs = CORE_AND_IDENTITY }: { programs?: ComparedProgram[] } = {},
): void {
  test.skipIf(!programs.every(hasBinary))(name, { tags: [REAL_PROGRAMS_TAG] }, run)
}

export const startInMode = (mode: Mode): Promise<LocalChain> =>
  mode === 'stand-ins' ? startChain() : startChain({ dataDir: folderWithBinaries(CORE_AND_IDENTITY) })

/** A chain in this mode, and a wallet with funds on it. */
export async function startWithWallet(mode: Mode) {
  const local = await startInMode(mode)
  return { local, umi: wallet(local) }
}

/** A new data folder in which the chain finds the binaries of these programs. */
export function folderWithBinaries(programs: readonly ComparedProgram[]): string {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'programs'))
  for (const name of programs) {
    const file = `${COMPARED_PROGRAMS[name]}.so`
    cpSync(binaryPath(name), join(dataDir, 'programs', file))
  }
  return dataDir
}

/** The binaries of these programs, by their addresses, for a chain without a data folder. */
export const readPrograms = (...programs: ComparedProgram[]): Map<Address, Uint8Array> =>
  new Map(programs.map(name => [COMPARED_PROGRAMS[name] as Address, readFileSync(binaryPath(name))]))

/** A version of Genesis and the programs that it calls, for a chain without a data folder. */
export const readGenesis = (
  version: 'Genesis' | 'Genesis of February 2026' = 'Genesis',
): Map<Address, Uint8Array> =>
  new Map([
    [COMPARED_PROGRAMS.Genesis as Address, readFileSync(binaryPath(version))],
    [COMPARED_PROGRAMS['Token Metadata'] as Address, readFileSync(binaryPath('Token Metadata'))],
  ])
