// Creates a launch: asks the service for the transactions, signs and submits them in order, and registers the launch.
// Start the service with `npm start`, then run: node examples/launch.js [name] [symbol]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createKeyPairFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  getBase64Encoder,
  getTransactionDecoder,
  sendAndConfirmTransactionFactory,
  signTransaction,
} from '@solana/kit'

const [name = 'Harbour Lights', symbol = 'LAMP'] = process.argv.slice(2)
const service = process.env.SLIPWAY_URL ?? 'http://localhost:8080'
const demo = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? 'data', 'demo.json'), 'utf8'))
const { rpcUrl, wsUrl, agents } = demo.networks['chain-mainnet']
const { owner, ownerSecretKey } = agents.find(({ funded }) => funded)

// A bonding curve with the numbers of the official SDK: 85 SOL buy all tokens that are for sale. Then the proceeds and the
// rest of the supply become a Raydium pool, whose liquidity is locked for good. The creator gets a fee from every trade.
const [always, never] = [{ type: 'Always' }, { type: 'Never' }]
const creatorFee = { enabled: true, wallet: owner }
const launch = {
  type: 'bondingCurve',
  publicKey: owner,
  name,
  symbol,
  image: 'https://images.example/harbour-lights.png',
  description: 'Keeps the lamps of the harbour burning.',
  externalLinks: { website: 'https://harbour-lights.example' },
  allocations: [
    {
      type: 'bondingCurveV2',
      supply: 717948717.948717,
      bondingCurveV2: {
        swapStartCondition: always,
        swapEndCondition: { type: 'Triggered' },
        virtualBaseTokens: 464555052.790349,
        virtualQuoteTokens: 55,
        creatorFee,
        fundFlows: [
          {
            type: 'RaydiumLP',
            supply: 282051282.051283,
            percentageBps: 10000,
            startCondition: always,
            lpLockSchedule: {
              enabled: true,
              startCondition: never,
              duration: 1,
              period: 1,
              cliffCondition: never,
              cliffAmountBps: 0,
            },
            creatorFee,
          },
        ],
      },
    },
  ],
}

// 1. The service checks the launch, hosts the token's document and builds the transactions.
const built = await post('/v1/launches/create', { wallet: owner, launch })

// 2. The wallet signs them and submits them in order. If the blockhash expires on the way, ask again with the same launch
//    and `genesisAccount`: the service returns what is left.
const keys = await createKeyPairFromBytes(Uint8Array.from(ownerSecretKey))
const rpcSubscriptions = createSolanaRpcSubscriptions(wsUrl)
const send = sendAndConfirmTransactionFactory({ rpc: createSolanaRpc(rpcUrl), rpcSubscriptions })
const lifetimeConstraint = {
  blockhash: built.blockhash.blockhash,
  lastValidBlockHeight: BigInt(built.blockhash.lastValidBlockHeight),
}
for (const [index, transaction] of built.transactions.entries()) {
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
  const signed = await signTransaction([keys], unsigned)
  await send({ ...signed, lifetimeConstraint }, { commitment: 'confirmed' })
  console.log(`confirmed  transaction ${index + 1} of ${built.transactions.length}`)
}

// 3. The service compares the launch with the chain and lists it.
const registered = await post('/v1/launches/register', { genesisAccount: built.genesisAccount, launch })
console.log(`created    ${name} (${symbol})`)
console.log(`token      ${built.mintAddress}`)
console.log(`launch     ${service}/v1/launches/${built.genesisAccount}`)
console.log(`page       ${registered.launch.link}`)

async function post(path, body) {
  const response = await fetch(`${service}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!answer.success) throw new Error(`${response.status} ${answer.error} ${JSON.stringify(answer.details)}`)
  return answer
}
