import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { depositLaunchPoolV2, depositPresaleV2 } from '@metaplex-foundation/genesis'
import { publicKey, signerIdentity } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { expect, test, vi } from 'vitest'
import { buildWorld } from '../../src/world/build-world.ts'
import { buildLaunchAccounts, WRAPPED_SOL } from '../../src/world/launch-accounts.ts'
import { marketMoves } from '../../src/world/market-moves.ts'
import { associatedToken, buildTokenAccount } from '../../src/world/token-accounts.ts'
import { startChain, temporaryFolder } from '../start-chain.ts'
import { asAddress, mustSend, signer, wallet } from './on-chain.ts'

vi.setConfig({ testTimeout: 90_000 })

const BINARY = fileURLToPath(
  new URL('../../.programs/GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B.so', import.meta.url),
)

test.skipIf(!existsSync(BINARY))(
  'the real Genesis program takes deposits for launches of the demo, and leaves what the market leaves',
  async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'programs'))
    cpSync(BINARY, join(dataDir, 'programs', 'GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B.so'))
    // Slots of a minute: both deposits happen in the same second of the chain.
    const local = await startChain({ dataDir, slotMs: 60_000 })
    const world = await buildWorld(local, {
      documentsUrl: 'http://127.0.0.1:1',
      environment: 'mainnet',
      size: 'full',
    })
    const umi = wallet(local)
    const rent = local.chain.vm.rentExemptMinimum
    const feeWallet = asAddress('9kFjQsxtpBsaw8s7aUyiY3wazYDNgFP4Lj5rsBVVF8tb')
    const payIn = (owner: Address) => {
      local.chain.mint(owner, 10_000_000_000n)
      const account = buildTokenAccount(WRAPPED_SOL, owner, 50_000_000_000n, rent)
      local.chain.writeAccounts(new Map([[associatedToken(WRAPPED_SOL, owner), account]]))
    }
    payIn(feeWallet)
    payIn(asAddress(umi.payer.publicKey))
    const moves = marketMoves(local.chain, 'mainnet')
    const amountQuoteToken = 1_000_000_000n
    for (const [slug, depositV2] of [
      ['orchard-ledger', depositLaunchPoolV2],
      ['cold-harbour', depositPresaleV2],
    ] as const) {
      const launch = world.launches.find(({ entry }) => entry.slug === slug)
      if (!launch) throw new Error(slug)
      const { primary } = launch.addresses
      // Also as it is before anyone has deposited: then the program notes that the launch has begun.
      for (const depositedLamports of [launch.plan.depositedLamports, 0n]) {
        const begin = () =>
          local.chain.writeAccounts(buildLaunchAccounts({ ...launch.plan, depositedLamports }, rent))
        const outcome = () => ({
          bucket: Buffer.from(local.chain.account(primary)?.data ?? []).toString('hex'),
          lamports: local.chain.account(associatedToken(WRAPPED_SOL, primary))?.lamports,
        })
        begin()
        const held = outcome().lamports ?? 0n
        const deposit = depositV2(umi, {
          genesisAccount: publicKey(launch.genesisAddress),
          bucket: publicKey(primary),
          baseMint: publicKey(launch.mint),
          amountQuoteToken,
        })
        await mustSend(local, umi, deposit)
        const { bucket, lamports } = outcome()
        expect((lamports ?? 0n) - held).toBe(amountQuoteToken)

        begin()
        moves.deposit(launch, amountQuoteToken)
        expect(outcome()).toEqual({ bucket, lamports: (lamports ?? 0n) + amountQuoteToken })
        // Another depositor: the program counts a second deposit of the same one differently.
        umi.use(signerIdentity(signer(umi)))
        payIn(asAddress(umi.payer.publicKey))
      }
    }
  },
)
