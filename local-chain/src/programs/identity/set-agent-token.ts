import {
  GENESIS_PROGRAM_ID,
  Key as GenesisKey,
  getGenesisAccountV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import { getAgentIdentityV2AccountDataSerializer } from '@metaplex-foundation/mpl-agent-registry'
import { findAssetSignerPda } from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { assertSigner, isSystemProgram, namedAccounts, resizeAccount } from '../instruction-accounts.ts'
import type { Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { assertCoreAsset, assertIdentityAddress, IDENTITY, identityError } from './checks.ts'

const VERSION_1 = 1
const VERSION_2 = 2
const MINT_FUNDED = 0

/** Sets the token of an agent, once. Upgrades a version 1 identity to version 2. */
export function setAgentToken(ctx: Invocation): void {
  const { agentIdentity, asset, genesisAccount, payer, authority, systemProgram } = namedAccounts(
    ctx,
    IDENTITY,
    ['agentIdentity', 'asset', 'genesisAccount', 'payer', 'authority?', 'systemProgram'],
  )
  const identity = ctx.read(agentIdentity.address)
  const version = identity?.data[0]
  if (!identity || identity.owner !== IDENTITY || (version !== VERSION_1 && version !== VERSION_2)) {
    throw identityError('InvalidAgentIdentity')
  }
  assertIdentityAddress(agentIdentity, asset)
  assertCoreAsset(ctx, asset)
  const mint = loadBaseMint(ctx, genesisAccount.address)
  assertSigner(payer)
  if (authority) assertSigner(authority)
  if (!isSystemProgram(systemProgram)) throw identityError('InvalidSystemProgram')
  const [assetSigner] = findAssetSignerPda(umi, { asset: asset.address as string as PublicKey })
  if ((authority ?? payer).address !== (assetSigner as string)) {
    throw identityError('OnlyAssetSignerCanSetAgentToken')
  }

  const serializer = getAgentIdentityV2AccountDataSerializer()
  const size = serializer.fixedSize as number
  if (version === VERSION_1) {
    const grown = new Uint8Array(size)
    grown.set(identity.data)
    grown[0] = VERSION_2
    resizeAccount(ctx, agentIdentity, payer, grown)
  }
  const current = ctx.read(agentIdentity.address)
  if (!current) throw identityError('InvalidAgentIdentity')
  const [decoded] = serializer.deserialize(current.data)
  if (decoded.agentToken.__option === 'Some') throw identityError('AgentTokenAlreadySet')
  ctx.write(agentIdentity.address, {
    ...current,
    data: serializer.serialize({ ...decoded, agentToken: mint }),
  })
}

function loadBaseMint(ctx: Invocation, address: Parameters<Invocation['read']>[0]): PublicKey {
  const account = ctx.read(address)
  const serializer = getGenesisAccountV2AccountDataSerializer()
  if (
    account?.owner !== (GENESIS_PROGRAM_ID as string) ||
    account.data.length < (serializer.fixedSize as number) ||
    account.data[0] !== GenesisKey.GenesisAccountV2
  ) {
    throw identityError('InvalidGenesisAccount')
  }
  const [genesis] = serializer.deserialize(account.data)
  if (genesis.fundingMode !== MINT_FUNDED) throw identityError('GenesisNotMintFunded')
  return genesis.baseMint
}
