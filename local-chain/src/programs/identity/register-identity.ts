import {
  getAgentIdentityV2AccountDataSerializer,
  getRegisterIdentityV1InstructionDataSerializer,
} from '@metaplex-foundation/mpl-agent-registry'
import {
  getAddExternalPluginAdapterV1InstructionDataSerializer,
  HookableLifecycleEvent,
} from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import { SYSTEM_PROGRAM } from '../../ledger/account.ts'
import { CORE } from '../core/checks.ts'
import { createAccount } from '../create-account.ts'
import { assertSigner, isSystemProgram, namedAccounts } from '../instruction-accounts.ts'
import { type AccountRef, type Invocation, ProgramError } from '../stand-in.ts'
import { assertCoreAsset, assertIdentityAddress, IDENTITY, identityError } from './checks.ts'

const VERSION_2 = 2
const APPROVE_LISTEN_REJECT = { flags: 7 }

/** Makes an asset an agent: creates its identity account, and adds a plugin with the document's URI to the asset. */
export function registerIdentity(ctx: Invocation): void {
  const uri = decodeUri(ctx.data)
  const accounts = namedAccounts(ctx, IDENTITY, [
    'agentIdentity',
    'asset',
    'collection?',
    'payer',
    'authority?',
    'mplCoreProgram',
    'systemProgram',
  ])
  const { agentIdentity, asset, collection, payer, authority } = accounts
  const bump = assertIdentityAddress(agentIdentity, asset)
  const existing = ctx.read(agentIdentity.address)
  if (existing && (existing.data.length > 0 || existing.owner !== SYSTEM_PROGRAM)) {
    throw identityError('AgentIdentityAlreadyRegistered')
  }
  assertCoreAsset(ctx, asset)
  assertSigner(payer)
  if (authority) assertSigner(authority)
  if (accounts.mplCoreProgram.address !== CORE) throw identityError('InvalidMplCoreProgram')
  if (!isSystemProgram(accounts.systemProgram)) throw identityError('InvalidSystemProgram')

  const data = getAgentIdentityV2AccountDataSerializer().serialize({
    key: VERSION_2,
    bump,
    asset: asset.address as string as PublicKey,
    agentToken: null,
  } as Parameters<ReturnType<typeof getAgentIdentityV2AccountDataSerializer>['serialize']>[0])
  createAccount(ctx, { created: agentIdentity, payer, owner: IDENTITY }, data)

  const omitted: AccountRef = { address: CORE, isSigner: false, isWritable: false }
  const addPlugin = {
    program: CORE,
    // With the privileges that Core's instruction needs, whatever the caller passed.
    accounts: [
      { ...asset, isSigner: false, isWritable: true },
      collection ? { ...collection, isSigner: false, isWritable: true } : omitted,
      { ...payer, isSigner: true, isWritable: true },
      authority ? { ...authority, isSigner: true, isWritable: false } : omitted,
      { ...accounts.systemProgram, isSigner: false, isWritable: false },
      omitted,
      { ...agentIdentity, isSigner: true, isWritable: false },
    ],
    data: getAddExternalPluginAdapterV1InstructionDataSerializer().serialize({
      initInfo: {
        __kind: 'AgentIdentity',
        fields: [
          {
            uri,
            initPluginAuthority: null,
            lifecycleChecks: [
              HookableLifecycleEvent.Transfer,
              HookableLifecycleEvent.Update,
              HookableLifecycleEvent.Execute,
            ].map(event => [event, APPROVE_LISTEN_REJECT]),
          },
        ],
      },
    } as Parameters<
      ReturnType<typeof getAddExternalPluginAdapterV1InstructionDataSerializer>['serialize']
    >[0]),
  }
  ctx.invoke(addPlugin, [agentIdentity.address])
}

function decodeUri(data: Uint8Array): string {
  try {
    const [{ agentRegistrationUri }, end] = getRegisterIdentityV1InstructionDataSerializer().deserialize(data)
    const bytes = Buffer.from(agentRegistrationUri)
    if (bytes.equals(data.subarray(end - bytes.length, end))) return agentRegistrationUri
  } catch {
    // Reported below.
  }
  // The real program slices without a bounds check and assumes valid UTF-8.
  throw new ProgramError('ProgramFailedToComplete', 'range end index out of range for slice')
}
