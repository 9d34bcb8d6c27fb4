import { findAgentIdentityV2Pda } from '@metaplex-foundation/mpl-agent-registry'
import {
  type AddExternalPluginAdapterV1InstructionData,
  ExternalPluginAdapterType,
  Key,
} from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { assertSigner, namedAccounts, resizeAccount } from '../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { assertGuards, assertPermitted, CORE, coreError, loadKey } from './checks.ts'
import { appendExternalPlugin, decodeRegistry } from './layout.ts'

/** Adds the plugin that makes an asset an agent. The asset's identity account must sign. */
export function addAgentIdentity(
  ctx: Invocation,
  { initInfo }: AddExternalPluginAdapterV1InstructionData,
): void {
  const accounts = namedAccounts(ctx, CORE, [
    'asset',
    'collection?',
    'payer',
    'authority?',
    'systemProgram',
    'logWrapper?',
  ])
  const authority = assertGuards(accounts)
  if (loadKey(ctx, accounts.asset) === Key.HashedAssetV1) throw coreError('NotAvailable')
  if (initInfo.__kind !== 'AgentIdentity') throw coreError('NotAvailable')

  const last = ctx.accounts.at(-1) as AccountRef
  assertSigner(last)
  const [identity] = findAgentIdentityV2Pda(umi, { asset: accounts.asset.address as string as PublicKey })
  if (last.address !== (identity as string)) throw coreError('AgentIdentityMustSign')

  const { data } = assertPermitted(
    ctx,
    { asset: accounts.asset, collection: accounts.collection, authority },
    {
      byAsset: (asset, who) =>
        asset.updateAuthority.__kind === 'Address' && (asset.updateAuthority.fields[0] as string) === who,
      byCollection: (collection, who) => (collection.updateAuthority as string) === who,
    },
  )
  const registry = decodeRegistry(data)
  if (
    registry?.externalRegistry.some(record => record.pluginType === ExternalPluginAdapterType.AgentIdentity)
  ) {
    throw coreError('ExternalPluginAdapterAlreadyExists')
  }
  const [info] = initInfo.fields
  const grown = appendExternalPlugin(
    data,
    { __kind: 'AgentIdentity', fields: [{ uri: info.uri }] },
    {
      pluginType: ExternalPluginAdapterType.AgentIdentity,
      authority:
        info.initPluginAuthority.__option === 'Some'
          ? info.initPluginAuthority.value
          : { __kind: 'UpdateAuthority' },
      lifecycleChecks: { __option: 'Some', value: info.lifecycleChecks },
    },
  )
  resizeAccount(ctx, accounts.asset, accounts.payer, grown)
}
