import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { registrationOf, startDemo } from '@slipway/local-chain'
import { createKeypair, createTransaction } from '@slipway/local-chain/ledger/keypair'
import { systemTransfer } from '@slipway/local-chain/ledger/system-instructions'
import { buildTokenAccount } from '@slipway/local-chain/testing/token-accounts'
import { marketTrades } from '@slipway/local-chain/world/market-trades'
import type { Network } from '@slipway/schema/network'

/** What the attacks know about the chain. */
export interface DemoChain {
  rpcUrl: string
  wsUrl: string
  socialUrl: string
  documentsHost: string
  wallets: string[]
  /** A wallet with thousands of token accounts, as anyone can make one. */
  crowdedWallet: string
  /** A wallet with native currency. */
  trader: string
  /** Launches whose curves are open. */
  curve: string
  otherCurve: string
  /** Bodies for `POST /v1/launches/register`, one for each launch. */
  registrations: { genesisAccount: string }[]
}

/** What an attack has the chain do. */
export type ChainRequest =
  /** Transactions that name launches and do nothing with them. */
  { act: 'name'; launches: string[]; times: number; isWritable: boolean } | { act: 'buy'; launch: string }

/** Runs the demo chains in a process of their own and reports their addresses to the parent. */
export async function runChainProcess(dataDir: string): Promise<void> {
  const log = { info() {}, error: (fields: unknown, message: string) => console.error(message, fields) }
  const demo = await startDemo({ dataDir, port: 0, activity: false, log })
  const [mainnet] = demo.networks
  if (!mainnet) throw new Error('the demo has no network')
  const crowdedWallet = newAddress()
  // Its mint is that of no launch.
  const tokens = buildTokenAccount(newAddress(), crowdedWallet, 1n, mainnet.local.chain.vm.rentExemptMinimum)
  mainnet.local.chain.writeAccounts(
    new Map(Array.from({ length: CROWD }, () => [newAddress(), tokens] as const)),
  )
  const launchOf = (slug: string) => {
    const launch = mainnet.world.launches.find(({ entry }) => entry.slug === slug)
    if (!launch) throw new Error(`the demo has no launch ${slug}`)
    return launch
  }
  const trader = createKeypair()
  mainnet.local.airdrop(trader.address, 100_000_000_000n)
  const { networks } = JSON.parse(readFileSync(demo.demoFile, 'utf8'))
  const chain: DemoChain = {
    rpcUrl: mainnet.local.rpcUrl,
    wsUrl: mainnet.local.wsUrl,
    socialUrl: demo.socialUrl,
    documentsHost: demo.documentsHost,
    wallets: networks['chain-mainnet'].rewards.map(({ wallet }: { wallet: string }) => wallet),
    crowdedWallet,
    trader: trader.address,
    curve: launchOf('patchbot').genesisAddress,
    otherCurve: launchOf('mudlark').genesisAddress,
    registrations: mainnet.world.launches.map(launch =>
      registrationOf(launch, mainnet.local.network as Network),
    ),
  }
  process.send?.(chain)

  const { chain: ledger } = mainnet.local
  const trades = marketTrades(ledger, mainnet.world.environment)
  async function name({ launches, times, isWritable }: ChainRequest & { act: 'name' }): Promise<string[]> {
    const signatures: string[] = []
    for (let at = 0; at < times; at += 1) {
      const transfer = systemTransfer(trader.address, trader.address, BigInt(at))
      const named = launches.map(address => ({
        address: address as typeof trader.address,
        isSigner: false,
        isWritable,
      }))
      const transaction = createTransaction(
        [trader],
        [{ ...transfer, accounts: [...transfer.accounts, ...named] }],
        ledger.clock.blockhash(ledger.clock.slot()),
      )
      const { err } = ledger.submit(transaction)
      if (err !== null) throw new Error(`a transaction failed: ${JSON.stringify(err)}`)
      signatures.push(transaction.signature)
      // The chain answers the service in between.
      if (at % 10 === 9) await nextTurn()
    }
    return signatures
  }
  let amount = 1_000_000n
  function buy({ launch }: ChainRequest & { act: 'buy' }): string[] {
    const found = mainnet?.world.launches.find(({ genesisAddress }) => genesisAddress === launch)
    if (!found) throw new Error(`no launch ${launch}`)
    // No two trades are the same transaction.
    amount += 1n
    trades.buyOnCurve(found, 0, amount)
    return []
  }
  process.on('message', async ({ id, request }: { id: number; request: ChainRequest }) => {
    process.send?.({ id, signatures: request.act === 'buy' ? buy(request) : await name(request) })
  })
  process.on('disconnect', () => process.exit())
}

const CROWD = 5_000
const newAddress = () => createKeypair().address
