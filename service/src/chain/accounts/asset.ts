import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { addressAt } from '../addresses/base58.ts'
import { CORE_PROGRAM } from '../addresses/programs.ts'
import { coreInternals, officialClients, once } from '../official-clients.ts'
import { type Absence, type Decoded, decodeAccount } from './decoded.ts'

export type UpdateAuthority =
  | { kind: 'address'; address: Address }
  | { kind: 'collection'; address: Address }
  | { kind: 'none'; address?: never }

/** What a withdrawal asks of an asset. */
export interface AssetHead {
  owner: Address
  updateAuthority: UpdateAuthority
  /** Whoever has the asset do something must name the collection that it belongs to. */
  collection?: Address
}

export interface Asset extends AssetHead {
  name: string
  uri: string
  /** Where the registration document of an agent is. */
  agentUri?: string
}

/** A Core asset with what its agent-identity plugin says. */
export const decodeAsset = (account: ChainAccount): Decoded<Asset> =>
  decodeAccount(account, [CORE_PROGRAM], ({ data }) => {
    const absence = otherThanAsset(data)
    if (absence) return absence
    const [asset, end] = frontSerializer().deserialize(data)
    const agentUri = readAgentUri(data, end)
    const { __kind: kind, ...authority } = asset.updateAuthority
    const address = ('fields' in authority ? authority.fields[0] : undefined) as string as Address
    return {
      owner: asset.owner as string as Address,
      ...authorityOf(kind === 'Collection' ? 'collection' : kind === 'Address' ? 'address' : 'none', address),
      name: asset.name,
      uri: asset.uri,
      ...(agentUri !== undefined && { agentUri }),
    }
  })

/**
 * The owner and the authority alone, from where they always stand: the official serializer takes twenty times as
 * long. Says that an asset exists exactly when `decodeAsset` does.
 */
export const decodeAssetHead = (account: ChainAccount): Decoded<AssetHead> =>
  decodeAccount(account, [CORE_PROGRAM], ({ data }) => {
    const absence = otherThanAsset(data)
    if (absence) return absence
    const kind = AUTHORITY_KINDS[data[AUTHORITY] as number]
    if (kind === undefined) return 'malformed'
    const address = kind === 'none' ? undefined : addressAt(data, AUTHORITY + 1)
    const name = AUTHORITY + 1 + (address ? KEY_BYTES : 0)
    // A name and a URI, each behind its length, and perhaps a number.
    const seq = skipText(data, skipText(data, name))
    if (data[seq] && seq + 1 + U64_BYTES > data.length) return 'malformed'
    return { owner: addressAt(data, OWNER), ...authorityOf(kind, address as Address) }
  })

const KEY_BYTES = 32
const U64_BYTES = 8
const OWNER = 1
const AUTHORITY = OWNER + KEY_BYTES
const AUTHORITY_KINDS = ['none', 'address', 'collection'] as const

/** Official first bytes: 0 is what is left of a burnt asset, 1 an asset. */
function otherThanAsset(data: Uint8Array): Absence | undefined {
  if (data.length === 0) return 'malformed'
  if (data[0] === 0) return 'burnt'
  return data[0] === 1 ? undefined : 'other-kind'
}

function authorityOf(
  kind: UpdateAuthority['kind'],
  address: Address,
): Pick<AssetHead, 'updateAuthority' | 'collection'> {
  if (kind === 'none') return { updateAuthority: { kind } }
  return { updateAuthority: { kind, address }, ...(kind === 'collection' && { collection: address }) }
}

function skipText(data: Uint8Array, at: number): number {
  const end = at + 4 + new DataView(data.buffer, data.byteOffset, data.length).getUint32(at, true)
  if (end > data.length) throw new RangeError('the text ends behind the account')
  return end
}

const frontSerializer = once(() => coreInternals.asset().getAssetV1AccountDataSerializer())
const headerSerializer = once(() => officialClients.core().getPluginHeaderV1AccountDataSerializer())
const registrySerializer = once(() => coreInternals.registry().getPluginRegistryV1AccountDataSerializer())
const adapterSerializer = once(() => officialClients.core().getExternalPluginAdapterSerializer())

/**
 * Only the agent identity among the plugins. One that is newer than the official client, or broken, must not hide an
 * asset: whatever cannot be read here is left out.
 */
function readAgentUri(data: Uint8Array, end: number): string | undefined {
  if (end >= data.length) return undefined
  try {
    const [header] = headerSerializer().deserialize(data, end)
    const [registry] = registrySerializer().deserialize(data, Number(header.pluginRegistryOffset))
    const { AgentIdentity } = officialClients.core().ExternalPluginAdapterType
    const record = registry.externalRegistry.find(({ pluginType }) => pluginType === AgentIdentity)
    if (!record) return undefined
    const [adapter] = adapterSerializer().deserialize(data, Number(record.offset))
    return adapter.__kind === 'AgentIdentity' ? adapter.fields[0].uri : undefined
  } catch {
    return undefined
  }
}
