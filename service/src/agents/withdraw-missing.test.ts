import { CORE_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { ChainAccount } from '../chain/account-reader.ts'
import { useDemo } from '../testing/demo.ts'
import { withdrawFromAgent } from './withdraw-from-agent.route.ts'

const world = useDemo()

/** Two endpoints, of which the first answers until it is found to lack an asset. */
function prepare() {
  const { address, owner } = world.agent('tidewatch')
  const { chain } = world.chainOf().local
  const asset = address as string as Address
  const { data, lamports } = chain.account(address) as { data: Uint8Array; lamports: bigint }
  const live = { exists: true as const, address: asset, owner: CORE_PROGRAM, data, lamports }
  const missing: ChainAccount = { exists: false, address: asset }
  const state = { endpoints: [live, live] as ChainAccount[], isKnown: true, isForeign: false }
  let at = 0
  const withdraw = () =>
    withdrawFromAgent(
      {
        rpc: {
          fetchAccounts: async () => ({ slot: 1, accounts: [state.endpoints[at] as ChainAccount] }),
          async confirmCluster() {
            if (state.isForeign) throw new Error('another cluster')
          },
          async confirmMissing(_, isPresent = () => false) {
            const found = state.endpoints.some(isPresent)
            if (found) at = 1
            return { found: found ? [asset] : [], missing: found ? [] : [asset], slot: 1 }
          },
        },
        blockhash: {
          latest: async () => BLOCKHASH,
          latestFor: async () => BLOCKHASH,
        },
        isKnown: async () => state.isKnown,
      },
      { address: asset, sender: owner.address as string as Address, lamports: 1n },
    )
  return { state, live, missing, withdraw }
}

const BLOCKHASH = { blockhash: '11111111111111111111111111111111', lastValidBlockHeight: 1 }

test('a known agent that one endpoint lacks is read from another', async () => {
  const { state, live, missing, withdraw } = prepare()
  state.endpoints = [missing, live]
  expect(await withdraw()).toMatchObject({ blockhash: BLOCKHASH })
})

test.each(['missing', 'damaged'])(
  'a known agent whose account is %s on every endpoint is an outage, not a 404',
  async kind => {
    const { state, live, missing, withdraw } = prepare()
    const broken = kind === 'missing' ? missing : { ...live, data: new Uint8Array() }
    state.endpoints = [broken, broken]
    await expect(withdraw()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  },
)

test('a burnt agent is a 404 although the store still knows it', async () => {
  const { state, live, withdraw } = prepare()
  state.endpoints = [{ ...live, data: Uint8Array.of(0) }]
  await expect(withdraw()).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' })
})

test('an unknown agent is a 404 only if the cluster is confirmed after the read', async () => {
  const { state, missing, withdraw } = prepare()
  state.endpoints = [missing, missing]
  state.isKnown = false
  state.isForeign = true
  await expect(withdraw()).rejects.toThrow('another cluster')
  state.isForeign = false
  await expect(withdraw()).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' })
})
