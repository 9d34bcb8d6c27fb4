import {
  findGenesisAccountV2Pda,
  getGenesisAccountV2AccountDataSerializer,
  Key,
} from '@metaplex-foundation/genesis'
import {
  fetchAgentIdentityV2,
  findAgentIdentityV2Pda,
  getAgentIdentityV1AccountDataSerializer,
  registerIdentityV1,
  setAgentTokenV1,
} from '@metaplex-foundation/mpl-agent-registry'
import { fetchAsset, findAssetSignerPda, transferV1 } from '@metaplex-foundation/mpl-core'
import { transferSol } from '@metaplex-foundation/mpl-toolbox'
import {
  createNoopSigner,
  isSome,
  type PublicKey,
  type Signer,
  sol,
  transactionBuilder,
  type Umi,
  unwrapOption,
} from '@metaplex-foundation/umi'
import { describe, expect, type TestContext, test } from 'vitest'
import type { LocalChain } from '../../start-local-chain.ts'
import { describeModes, startWithWallet } from '../../testing/real-programs.ts'
import {
  asAddress,
  CREATE_FEE,
  custom,
  mintAsset,
  mintCollection,
  mustSend,
  send,
  signer,
  wallet,
  wrapInExecute,
} from '../../testing/umi-wallet.ts'

const IDENTITY = '1DREGFgysWYxLnRnKQnwrxnJQeSMk2HmGaC6whw2B2p'
const GENESIS = 'GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B'
const URI = 'https://agents.example/registration.json'

const register = (umi: Umi, asset: PublicKey, more: object = {}) =>
  registerIdentityV1(umi, { asset, agentRegistrationUri: URI, ...more })

describeModes('agent identity', mode => {
  test('registering adds an identity account and a plugin with the document URI', async () => {
    const { local, umi } = await startWithWallet(mode)
    const asset = await mintAsset(local, umi)
    const size = local.chain.account(asAddress(asset))?.data.length ?? 0
    await mustSend(local, umi, register(umi, asset))
    const account = local.chain.account(asAddress(findAgentIdentityV2Pda(umi, { asset })))
    expect(account?.owner).toBe(IDENTITY)
    expect([...(account?.data.subarray(8, 40) ?? [])]).toHaveLength(32)
    const fetched = await fetchAsset(umi, asset)
    expect(fetched.agentIdentities?.map(plugin => plugin.uri)).toEqual([URI])
    expect(fetched.agentIdentities?.[0]?.lifecycleChecks).toBeDefined()
    // The payer adds the rent of the new bytes; the asset keeps its creation fee on top.
    const grown = local.chain.account(asAddress(asset))
    expect(grown?.data.length).toBeGreaterThan(size)
    expect((grown?.lamports ?? 0n) - local.chain.vm.rentExemptMinimum(grown?.data.length ?? 0)).toBe(
      CREATE_FEE,
    )
  })

  test('an asset can be registered only once, and only by its update authority', async () => {
    const { local, umi } = await startWithWallet(mode)
    const asset = await mintAsset(local, umi)
    const stranger = wallet(local)
    const theirs = registerIdentityV1(stranger, { asset, agentRegistrationUri: URI })
    expect((await send(local, stranger, theirs)).err).toEqual(custom(26))
    expect(local.chain.account(asAddress(findAgentIdentityV2Pda(umi, { asset })))).toBeUndefined()
    await mustSend(local, umi, register(umi, asset))
    const again = await send(local, umi, register(umi, asset, { agentRegistrationUri: `${URI}?2` }))
    // A binary that still creates version 1 identities fails later, in the system program.
    const version = local.chain.account(asAddress(findAgentIdentityV2Pda(umi, { asset })))?.data[0]
    expect(again.err).toEqual(version === 1 ? custom(0) : custom(9))
    if (mode === 'stand-ins') expect(version).toBe(2)
  })

  test('only a Core asset can be registered', async () => {
    const { local, umi } = await startWithWallet(mode)
    const collection = await mintCollection(local, umi)
    expect((await send(local, umi, register(umi, collection))).err).toEqual(custom(4))
    expect((await send(local, umi, register(umi, umi.payer.publicKey))).err).toEqual(custom(4))
    const [first, second] = [await mintAsset(local, umi), await mintAsset(local, umi)]
    const crossed = register(umi, first, { agentIdentity: findAgentIdentityV2Pda(umi, { asset: second }) })
    expect((await send(local, umi, crossed)).err).toEqual(custom(2))
  })

  test('registering an asset of a collection needs the collection and its authority', async () => {
    const { local, umi } = await startWithWallet(mode)
    const collection = await mintCollection(local, umi)
    const asset = await mintAsset(local, umi, { collection, owner: signer(umi).publicKey })
    expect((await send(local, umi, register(umi, asset))).err).toEqual(custom(25))
    const [instruction] = register(umi, asset, { collection }).getInstructions()
    if (!instruction) throw new Error('no instruction')
    const keys = instruction.keys.map(key =>
      key.pubkey === collection ? { ...key, isWritable: false } : key,
    )
    const readonly = transactionBuilder([
      { instruction: { ...instruction, keys }, signers: [umi.payer], bytesCreatedOnChain: 0 },
    ])
    expect((await send(local, umi, readonly)).err).toEqual({ InstructionError: [0, 'PrivilegeEscalation'] })
    await mustSend(local, umi, register(umi, asset, { collection }))
    expect((await fetchAsset(umi, asset)).agentIdentities?.[0]?.uri).toBe(URI)
  })

  test('a registered agent can be transferred, and its new owner can execute', async () => {
    const { local, umi } = await startWithWallet(mode)
    const asset = await mintAsset(local, umi)
    await mustSend(local, umi, register(umi, asset))
    const [pda] = findAssetSignerPda(umi, { asset })
    local.airdrop(asAddress(pda), 1_000_000_000n)
    const to = wallet(local)
    await mustSend(local, umi, transferV1(umi, { asset, newOwner: to.payer.publicKey }))
    const fetched = await fetchAsset(umi, asset)
    expect(fetched.owner).toBe(to.payer.publicKey)
    expect(fetched.agentIdentities?.[0]?.uri).toBe(URI)
    const payment = transferSol(to, {
      source: createNoopSigner(pda),
      destination: to.payer.publicKey,
      amount: sol(0.4),
    })
    await mustSend(local, to, wrapInExecute(to, asset, payment))
    expect(local.chain.account(asAddress(pda))?.lamports).toBe(600_000_000n)
  })

  describe('agent token', () => {
    /** An older binary lacks the instruction, so there is nothing to compare. */
    async function startWithAgentTokens(context: TestContext) {
      const { local, umi } = await startWithWallet(mode)
      const asset = await mintAsset(local, umi)
      const { err } = await send(local, umi, setAgentTokenV1(umi, { asset, genesisAccount: asset }))
      if (mode === 'real programs' && JSON.stringify(err) === JSON.stringify(custom(1)))
        context.skip('the binary has no setAgentTokenV1')
      return {
        local,
        umi,
        writeLaunch: (fundingMode = 0) => writeLaunch(local, umi, fundingMode),
        setToken: (of: PublicKey, genesisAccount: PublicKey) => setToken(umi, of, genesisAccount),
      }
    }

    test('the asset sets its own token through execute, once', async context => {
      const { local, umi, writeLaunch, setToken } = await startWithAgentTokens(context)
      const asset = await mintAsset(local, umi)
      await mustSend(local, umi, register(umi, asset))
      const { genesisAccount, baseMint } = writeLaunch()
      await mustSend(local, umi, setToken(asset, genesisAccount))
      const [pda] = findAgentIdentityV2Pda(umi, { asset })
      const identity = await fetchAgentIdentityV2(umi, pda)
      expect(unwrapOption(identity.agentToken)).toBe(baseMint)
      expect((await send(local, umi, setToken(asset, writeLaunch().genesisAccount))).err).toEqual(custom(7))
    })

    test('setting the token upgrades a version 1 identity to version 2', async context => {
      const { local, umi, writeLaunch, setToken } = await startWithAgentTokens(context)
      const asset = await mintAsset(local, umi)
      await mustSend(local, umi, register(umi, asset))
      const [pda, bump] = findAgentIdentityV2Pda(umi, { asset })
      const data = getAgentIdentityV1AccountDataSerializer().serialize({ key: 1, bump, asset } as never)
      const lamports = local.chain.vm.rentExemptMinimum(data.length)
      local.chain.writeAccounts(
        new Map([[asAddress(pda), { lamports, owner: IDENTITY as never, data, executable: false }]]),
      )
      const { genesisAccount, baseMint } = writeLaunch()
      await mustSend(local, umi, setToken(asset, genesisAccount))
      const account = local.chain.account(asAddress(pda))
      expect([account?.data.length, account?.data[0]]).toEqual([104, 2])
      expect(account?.lamports).toBe(local.chain.vm.rentExemptMinimum(104))
      const identity = await fetchAgentIdentityV2(umi, pda)
      expect(isSome(identity.agentToken) && identity.agentToken.value).toBe(baseMint)
    })

    test('only the asset can set its token, and only to that of a mint-funded launch', async context => {
      const { local, umi, writeLaunch, setToken } = await startWithAgentTokens(context)
      const asset = await mintAsset(local, umi)
      await mustSend(local, umi, register(umi, asset))
      const { genesisAccount } = writeLaunch()
      expect((await send(local, umi, setAgentTokenV1(umi, { asset, genesisAccount }))).err).toEqual(custom(6))
      expect((await send(local, umi, setToken(asset, umi.payer.publicKey))).err).toEqual(custom(10))
      expect((await send(local, umi, setToken(asset, writeLaunch(1).genesisAccount))).err).toEqual(custom(11))
      const bare = await mintAsset(local, umi)
      expect((await send(local, umi, setToken(bare, genesisAccount))).err).toEqual(custom(8))
    })
  })
})

/** Writes a launch's genesis account directly, without its program. */
function writeLaunch(local: LocalChain, umi: Umi & { payer: Signer }, fundingMode: number) {
  const baseMint = signer(umi).publicKey
  const [address, bump] = findGenesisAccountV2Pda(umi, { baseMint, genesisIndex: 0 })
  const data = getGenesisAccountV2AccountDataSerializer().serialize({
    key: Key.GenesisAccountV2,
    bump,
    index: 0,
    finalized: true,
    padding: [0, 0, 0],
    authority: umi.payer.publicKey,
    baseMint,
    quoteMint: umi.payer.publicKey,
    totalSupplyBaseToken: 0n,
    totalAllocatedSupplyBaseToken: 0n,
    totalProceedsQuoteToken: 0n,
    fundingMode,
    launchType: 0,
    endPadding: [0, 0],
    bucketCount: 0,
  })
  local.chain.writeAccounts(
    new Map([
      [asAddress(address), { lamports: 2_000_000n, owner: GENESIS as never, data, executable: false }],
    ]),
  )
  return { genesisAccount: address, baseMint }
}

function setToken(umi: Umi, asset: PublicKey, genesisAccount: PublicKey) {
  const [assetSigner] = findAssetSignerPda(umi, { asset })
  const authority = createNoopSigner(assetSigner)
  return wrapInExecute(umi, asset, setAgentTokenV1(umi, { asset, genesisAccount, authority }))
}
