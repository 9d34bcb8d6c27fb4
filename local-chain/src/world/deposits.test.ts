import { depositLaunchPoolV2, depositPresaleV2 } from '@metaplex-foundation/genesis'
import { publicKey, signerIdentity } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { expect } from 'vitest'
import { CONDITIONS } from '../conditions.ts'
import { folderWithBinaries, testRealPrograms } from '../testing/real-programs.ts'
import { startChain } from '../testing/start-chain.ts'
import { asAddress, mustSend, signer, wallet } from '../testing/umi-wallet.ts'
import { buildWorld } from './build-world.ts'
import { buildLaunchAccounts, WRAPPED_SOL } from './launch-accounts.ts'
import { marketMoves } from './market-moves.ts'
import { associatedToken, buildTokenAccount } from './token-accounts.ts'

testRealPrograms(
  'a deposit by the market leaves the same bytes as a deposit through the real Genesis program',
  async () => {
    // With slots of one minute, both deposits have the same block time.
    const local = await startChain({
      dataDir: folderWithBinaries(['Genesis']),
      conditions: { ...CONDITIONS, slotMs: 60_000 },
    })
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
      // Also without earlier deposits: the first one makes the program record that the launch has begun.
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
        // A new depositor, because the program counts a second deposit by the same one differently.
        umi.use(signerIdentity(signer(umi)))
        payIn(asAddress(umi.payer.publicKey))
      }
    }
  },
  { programs: ['Genesis'] },
)
