import { createSlipway, SlipwayError } from '@slipway/client'
import { createSubmitter } from '@slipway/client/kit'
import { createKeyPairSignerFromBytes, createSolanaRpc } from '@solana/kit'
import type { Attack } from '../attack.ts'
import { createClient } from '../http-client.ts'
import type { Target } from '../target.ts'
import { UNLIMITED } from '../unlimited.ts'
import { watchReads } from '../watch-reads.ts'

const network = 'chain-devnet'
const LARGE = 'x'.repeat(31_000)
const MINTS_MAX = 200
/** The refusal comes only after dozens of mints, so the short form doesn't wait for it. */
const SHORT_MINTS = 6

/** Agents cost nothing on devnet. One owner mints them with large documents until it is refused. */
export const namedDocuments: Attack = {
  name: 'named documents',
  environment: UNLIMITED,
  async run(target, { isShort }) {
    const mintsMax = isShort ? SHORT_MINTS : MINTS_MAX
    const control = await watchReads(target.port, () => new Promise(resolve => setTimeout(resolve, 500)))
    let refusal = ''
    let megabytes = 0
    const during = await watchReads(target.port, async () => {
      const mintOne = await createMinter(target)
      for (let count = 0; count < mintsMax && !refusal; count += 1) {
        refusal = await mintOne()
        if (!refusal) megabytes += LARGE.length / 1_048_576
      }
    })
    const client = createClient(target.port)
    const { status } = await client.send('POST', '/v1/agents/mint', {
      body: mintBody(target, 'chain-mainnet', 'x'),
    })
    client.close()
    return [
      {
        what: `hosted on devnet for one owner, of the ${UNLIMITED.DOCUMENTS_PER_OWNER} MiB that it may have`,
        value: megabytes,
        unit: 'MB',
        atMost: Number(UNLIMITED.DOCUMENTS_PER_OWNER),
        detail: refusal,
      },
      {
        what: 'other refusals than the one for too many documents',
        value: refusal === (isShort ? '' : 'TOO_MANY_DOCUMENTS') ? 0 : 1,
        unit: 'answers',
        atMost: 0,
      },
      { what: 'slowest read by another client before the attack', value: control.longestMs, unit: 'ms' },
      {
        what: 'slowest read by another client during the attack',
        value: during.longestMs,
        unit: 'ms',
        atMost: 250,
      },
      { what: 'failed reads', value: during.failures, unit: 'requests', atMost: 0 },
      {
        what: 'mints on mainnet that were refused afterwards',
        value: status === 200 ? 0 : 1,
        unit: 'answers',
        atMost: 0,
        detail: `status ${status}`,
      },
    ]
  },
}

const mintBody = ({ chain }: Target, network: 'chain-mainnet' | 'chain-devnet', description: string) => ({
  wallet: network === 'chain-devnet' ? chain.devnet.owner : (chain.wallets[0] as string),
  network,
  name: 'Ferrywright',
  uri: 'https://a.example/a.json',
  agentMetadata: {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: 'Ferrywright',
    description,
    services: [],
    registrations: [],
  },
})

/** Mints an agent whose document differs from the others. Returns the code of the refusal, or an empty text. */
async function createMinter(target: Target): Promise<() => Promise<string>> {
  const { rpcUrl, ownerSecretKey } = target.chain.devnet
  const slipway = createSlipway({ url: `http://127.0.0.1:${target.port}`, retries: 0 })
  const signer = await createKeyPairSignerFromBytes(Uint8Array.from(ownerSecretKey))
  const submitter = createSubmitter({ rpc: createSolanaRpc(rpcUrl), signers: [signer] })
  return async () => {
    try {
      const built = await slipway.agents.mint(mintBody(target, network, LARGE))
      await submitter.submit(built)
      // Reading the agent makes its document a named one.
      await slipway.agents.get(built.assetAddress, { network })
      return ''
    } catch (error) {
      if (error instanceof SlipwayError) return error.code
      throw error
    }
  }
}
