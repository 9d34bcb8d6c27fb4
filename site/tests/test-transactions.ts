import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import type { Address } from '@slipway/schema/address'
import { configOf, fundedWallet, type Json, land, mintBody } from '../../service/src/agents/test-mints.ts'
import { buildClaimTransaction, type Claim } from '../../service/src/chain/transactions/build-claim.ts'
import { curveInput, payloadOf, poolInput } from '../../service/src/launches/creation/test-launches.ts'
import { postJson } from '../../service/src/testing/demo-launches.ts'
import { addressOf } from '../../service/src/testing/launch-rows.ts'
import { startTestService } from '../../service/src/testing/test-service.ts'
import { decodeTransaction } from '../src/transactions/decode-transaction.ts'
import { simulateTransaction } from '../src/transactions/simulate.ts'
import { fromBase64, NO_FACTS, type ReviewCase } from './test-rebuild.ts'

/** One transaction of each kind from a running service, collected once and simulated while its chain runs. */
export const collectTransactions = () => {
  collected ??= collect()
  return collected
}
let collected: ReturnType<typeof collect> | undefined

async function collect() {
  const local = await startChain()
  const { url } = await startTestService({ config: configOf(local) })
  const key = fundedWallet(local)
  const wallet = key.address
  const post = async (path: string, body: object) => (await postJson(`${url}/v1/${path}`, body)).body
  const simulate = ({ wire }: ReviewCase) =>
    simulateTransaction(
      local.rpcUrl,
      wire,
      wallet,
      AbortSignal.timeout(60_000),
      decodeTransaction(wire).writable,
    )

  const minted = await post('agents/mint', mintBody(wallet))
  const agent: Address = minted.assetAddress
  const uri = 'https://a.example/ferrywright.json'
  const mint: ReviewCase = {
    wire: fromBase64(minted.tx),
    intent: { kind: 'mint', name: 'Ferrywright', agent, uri },
    wallet,
  }
  const mintSimulation = await simulate(mint)
  await land(local, minted, key)
  const assetKey = createKeypair()
  const unsigned = await post('agents/mint', mintBody(wallet, { asset: assetKey.address }))

  const memo = 'For the night ferry ⛴'
  const funding = await post(`agents/${agent}/fund`, { sender: wallet, amount: 0.25, memo })
  const move = { agent, agentWallet: assetSignerAddress(agent), lamports: 250_000_000n }
  const fund: ReviewCase = { wire: fromBase64(funding.tx), intent: { kind: 'fund', ...move, memo }, wallet }

  const taking = await post(`agents/${agent}/withdraw`, { sender: wallet, amount: 0.25 })
  const withdraw: ReviewCase = { wire: fromBase64(taking.tx), intent: { kind: 'withdraw', ...move }, wallet }
  const emptySimulation = await simulate(withdraw)
  local.airdrop(move.agentWallet, 2n * move.lamports)

  const agentOf = (setToken: boolean) => ({ agent: { mint: agent, setToken } })
  const bought = { firstBuyAmount: 0.1, creatorFeeWallet: wallet }
  const create = async (payload: Json): Promise<LaunchCase> => {
    const created = await post('launches/create', payload)
    return {
      wires: created.transactions.map(fromBase64),
      intent: {
        kind: 'create-launch',
        genesisAccount: created.genesisAccount,
        mint: created.mintAddress,
        launch: payload.launch,
        agent: payload.agent,
      },
      wallet,
    }
  }
  return {
    launches: {
      pool: await create(withLines(payloadOf(poolInput(wallet)))),
      'pool of an agent': await create({ ...payloadOf(poolInput(wallet)), ...agentOf(false) }),
      curve: await create(payloadOf(curveInput(wallet, bought))),
      'curve of an agent': await create({
        ...payloadOf(curveInput(wallet, bought, agentOf(true))),
        ...agentOf(true),
      }),
      'curve that pays an agent': await create({
        ...payloadOf(curveInput(wallet, { creatorFeeWallet: move.agentWallet })),
        ...agentOf(false),
      }),
    },
    mint,
    fund,
    withdraw,
    simulations: {
      mint: mintSimulation,
      fund: await simulate(fund),
      withdrawFromEmpty: emptySimulation,
      withdraw: await simulate(withdraw),
    },
    /** A mint whose asset has a key that the test knows. */
    unsignedMint: {
      assetKey,
      case: {
        wire: fromBase64(unsigned.tx),
        intent: { kind: 'mint', name: 'Ferrywright', agent: assetKey.address },
        wallet,
      } satisfies ReviewCase,
    },
  }
}

/** All transactions of a launch. */
export interface LaunchCase {
  wires: Uint8Array[]
  intent: Extract<ReviewCase['intent'], { kind: 'create-launch' }>
  wallet: Address
}

/** Adds a bonus and a penalty to a launch pool. */
function withLines(payload: Json): Json {
  const line = { enabled: true, point1TimeBps: 0, point2TimeBps: 10_000 }
  Object.assign(payload.launch.allocations[0].launchpoolV2, {
    depositBonus: { ...line, point1Bps: 2_000, point2Bps: 0, maxBps: 2_000 },
    withdrawPenalty: { ...line, point1Bps: 0, point2Bps: 333, maxBps: 333 },
  })
  return payload
}

const CREATOR = addressOf('creator')
const bucket = { genesis: addressOf('launch'), address: addressOf('bucket') }
export const CURVE = { kind: 'bondingCurveV2', ...bucket } as const

/** A claim as the service builds it: from a pool, unless `change` says otherwise. */
export function claimCase(change: Partial<Claim> = {}): ReviewCase {
  const claim: Claim = {
    payer: CREATOR,
    wallet: CREATOR,
    bucket: { kind: 'raydiumCpmmV2', ...bucket },
    baseMint: addressOf('token'),
    quoteMint: WRAPPED_NATIVE_MINT,
    quoteTokenProgram: TOKEN_PROGRAM,
    createsTokenAccount: true,
    collect: { environment: 'mainnet', baseTokenProgram: TOKEN_2022_PROGRAM },
    blockhash: addressOf('block'),
    ...change,
  }
  const { baseMint, quoteMint, quoteTokenProgram, unwraps } = claim
  const { address, ...of } = claim.bucket
  const held = { amount: 0n, isDelegated: false, ...unwraps?.quote }
  const account = { ...held, mint: WRAPPED_NATIVE_MINT, holder: claim.wallet, isFrozen: false }
  return {
    wire: fromBase64(buildClaimTransaction(claim)),
    intent: { kind: 'claim', wallet: CREATOR },
    wallet: CREATOR,
    facts: {
      ...NO_FACTS,
      tokens: new Map([
        ...NO_FACTS.tokens,
        [baseMint, { mint: baseMint, program: TOKEN_2022_PROGRAM, decimals: 6 }],
        [quoteMint, { mint: quoteMint, program: quoteTokenProgram, decimals: 9 }],
      ]),
      accountRent: unwraps?.accountRent ?? 0n,
      // What another key may close isn't unwrapped.
      wrapped: unwraps && !unwraps.quote ? undefined : { ...account, isClosedByOthers: !unwraps },
      rewards: new Map([[address, { ...of, baseMint, quoteMint }]]),
    },
  }
}
