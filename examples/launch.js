// Creates a launch on the chain and registers it.
// Start the service with `npm start`, then run: node examples/launch.js [name] [symbol]
import { createSlipway } from '@slipway/client'
import { createSubmitter } from '@slipway/client/kit'
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit'
import { readDemo } from './lib/read-demo.js'
import './lib/report-errors.js'

const [name = 'Harbour Lights', symbol = 'LAMP'] = process.argv.slice(2)
const slipway = createSlipway({ url: process.env.SLIPWAY_URL ?? 'http://localhost:8080' })
const demo = readDemo()
const { rpcUrl, agents } = demo.networks['chain-mainnet']
const { owner, ownerSecretKey } = agents.find(({ funded }) => funded)

// A bonding curve with the numbers of the official SDK: 85 SOL buy all tokens that are for sale. Then the proceeds
// and the rest of the supply become a Raydium pool, whose liquidity is locked for good. The creator gets a fee from
// every trade.
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

// 1. The service checks the launch, hosts the token's document and builds the transactions. The wallet signs them and
//    submits them in order. If the blockhash expires on the way, the rest is built again.
const signer = await createKeyPairSignerFromBytes(Uint8Array.from(ownerSecretKey))
const submitter = createSubmitter({ rpc: createSolanaRpc(rpcUrl), signers: [signer] })
const { genesisAccount, mintAddress } = await submitter.createLaunch(
  slipway,
  { wallet: owner, launch },
  {
    onProgress: ({ confirmed, total }) =>
      console.log(confirmed ? `confirmed  ${confirmed} of ${total}` : `built      ${total} transactions`),
  },
)

// 2. The service compares the launch with the chain and lists it.
const registered = await slipway.launches.register({ genesisAccount, launch })
console.log(`created    ${name} (${symbol})`)
console.log(`token      ${mintAddress}`)
console.log(`launch     ${slipway.url}/v1/launches/${genesisAccount}`)
console.log(`page       ${registered.launch.link}`)
