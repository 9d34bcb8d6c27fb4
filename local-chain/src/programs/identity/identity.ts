import {
  GENESIS_PROGRAM_ID,
  Key as GenesisKey,
  getGenesisAccountV2AccountDataSerializer,
} from '@metaplex-foundation/genesis'
import {
  findAgentIdentityV2Pda,
  getAgentIdentityV2AccountDataSerializer,
  getRegisterIdentityV1InstructionDataSerializer,
  MPL_AGENT_IDENTITY_PROGRAM_ID,
} from '@metaplex-foundation/mpl-agent-registry'
import {
  findAssetSignerPda,
  getAddExternalPluginAdapterV1InstructionDataSerializer,
  HookableLifecycleEvent,
  Key,
} from '@metaplex-foundation/mpl-core'
import type { PublicKey } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { SYSTEM_PROGRAM } from '../../ledger/account.ts'
import { CORE } from '../core/checks.ts'
import {
  assertSigner,
  createAccount,
  isSystemProgram,
  namedAccounts,
  resizeAccount,
} from '../instruction-accounts.ts'
import { type AccountRef, type Invocation, ProgramError, type StandIn } from '../stand-in.ts'
import { umi } from '../umi-context.ts'

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

const VERSION_1 = 1
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

export const IDENTITY = MPL_AGENT_IDENTITY_PROGRAM_ID as string as Address

/** Throws unless the identity account belongs to the asset; returns the bump of its address. */
export function assertIdentityAddress(identity: AccountRef, asset: AccountRef): number {
  const [address, bump] = findAgentIdentityV2Pda(umi, { asset: asset.address as string as PublicKey })
  if (identity.address !== (address as string)) throw identityError('InvalidAccountData')
  return bump
}

export function assertCoreAsset(ctx: Invocation, asset: AccountRef): void {
  const account = ctx.read(asset.address)
  if (account?.owner !== CORE) throw identityError('InvalidCoreAsset')
  // Core never leaves an empty account; the real program would panic on one.
  if (account.data.length === 0) throw new ProgramError('ProgramFailedToComplete', 'index out of bounds')
  if (account.data[0] !== Key.AssetV1) throw identityError('InvalidCoreAsset')
}

/** The program's errors, which its client package does not export. */
const ERRORS = {
  InvalidSystemProgram: [0, 'Invalid System Program'],
  InvalidInstructionData: [1, 'Invalid instruction data'],
  InvalidAccountData: [2, 'Invalid account data'],
  InvalidMplCoreProgram: [3, 'Invalid MPL Core Program'],
  InvalidCoreAsset: [4, 'Invalid Core Asset'],
  InvalidAgentToken: [5, 'Invalid Agent Token'],
  OnlyAssetSignerCanSetAgentToken: [6, 'Only the Asset Signer can set the agent token'],
  AgentTokenAlreadySet: [7, 'Agent Token already set'],
  InvalidAgentIdentity: [8, 'Invalid Agent Identity'],
  AgentIdentityAlreadyRegistered: [9, 'Agent Identity already registered'],
  InvalidGenesisAccount: [10, 'Invalid Genesis Account'],
  GenesisNotMintFunded: [11, 'Genesis account is not mint-funded'],
} as const

export function identityError(name: keyof typeof ERRORS): ProgramError {
  const [code, message] = ERRORS[name]
  return new ProgramError({ Custom: code }, message)
}

/** The agent identity program. */
export const identity: StandIn = {
  address: IDENTITY,
  process(ctx) {
    switch (ctx.data[0]) {
      case 0:
        ctx.log('Instruction: RegisterIdentityV1')
        registerIdentity(ctx)
        return
      case 1:
        ctx.log('Instruction: SetAgentTokenV1')
        setAgentToken(ctx)
        return
      default:
        throw identityError('InvalidInstructionData')
    }
  },
}
