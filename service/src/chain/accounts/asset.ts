import { CORE_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { type ByteReader, createByteReader, type Decoded, decodeProgramAccount } from './decode-account.ts'

type UpdateAuthority =
  | { kind: 'address'; address: Address }
  | { kind: 'collection'; address: Address }
  | { kind: 'none'; address?: never }

interface Asset {
  owner: Address
  updateAuthority: UpdateAuthority
  /** The collection that the asset belongs to; instructions that use the asset must name it. */
  collection?: Address
  name: string
  uri: string
  /** The URI of an agent's registration document. */
  agentUri?: string
}

/** The first byte of a Core account. */
const BURNT = 0
const ASSET_V1 = 1
const PLUGIN_REGISTRY_V1 = 4
const AUTHORITY_KINDS = ['none', 'address', 'collection'] as const

/** A Core asset, with the URI from its agent-identity plugin. */
export const decodeAsset = (account: ChainAccount): Decoded<Asset> =>
  decodeProgramAccount(account, [CORE_PROGRAM], ({ data }) => {
    const reader = createByteReader(data)
    const firstByte = reader.u8()
    if (firstByte !== ASSET_V1) return firstByte === BURNT ? 'burnt' : 'other-kind'
    const owner = reader.address()
    const updateAuthority = decodeUpdateAuthority(reader)
    const name = reader.text()
    const uri = reader.text()
    // The sequence number of a compressed asset.
    if (reader.hasValue()) reader.u64()
    const agentUri = decodeAgentUri(data, reader.offset)
    return {
      owner,
      updateAuthority,
      ...(updateAuthority.kind === 'collection' && { collection: updateAuthority.address }),
      name,
      uri,
      ...(agentUri !== undefined && { agentUri }),
    }
  })

function decodeUpdateAuthority(reader: ByteReader): UpdateAuthority {
  const kind = AUTHORITY_KINDS[reader.u8()]
  if (kind === undefined) throw new RangeError('unknown kind of update authority')
  return kind === 'none' ? { kind } : { kind, address: reader.address() }
}

/** Undefined for a plugin that is broken or newer than this decoder: it must not hide the asset. */
function decodeAgentUri(data: Uint8Array, end: number): string | undefined {
  if (end === data.length) return undefined
  try {
    const header = createByteReader(data, end)
    header.skip(1)
    const registryOffset = Number(header.u64())
    const adapterOffset = findAgentIdentity(createByteReader(data, registryOffset))
    if (adapterOffset === undefined) return undefined
    const adapter = createByteReader(data, adapterOffset)
    return adapter.u8() === AGENT_IDENTITY ? adapter.text() : undefined
  } catch {
    return undefined
  }
}

/** The type of an external plugin, in the registry and in the plugin itself. */
const AGENT_IDENTITY = 6

/** Where the first agent identity in the plugin registry is. */
function findAgentIdentity(registry: ByteReader): number | undefined {
  if (registry.u8() !== PLUGIN_REGISTRY_V1) throw new RangeError('not a plugin registry')
  for (let left = registry.length(); left > 0; left -= 1) {
    registry.skip(1)
    skipPluginAuthority(registry)
    registry.skip(U64_BYTES)
  }
  let found: number | undefined
  for (let left = registry.length(); left > 0; left -= 1) {
    const type = registry.u8()
    skipPluginAuthority(registry)
    if (registry.hasValue()) registry.skip(registry.length() * LIFECYCLE_CHECK_BYTES)
    const offset = Number(registry.u64())
    // Where the plugin's data is, and its length.
    if (registry.hasValue()) registry.skip(U64_BYTES)
    if (registry.hasValue()) registry.skip(U64_BYTES)
    if (type === AGENT_IDENTITY) found ??= offset
  }
  return found
}

const U64_BYTES = 8
/** An event and its flags. */
const LIFECYCLE_CHECK_BYTES = 5
const ADDRESS_BYTES = 32
/** The only kind of plugin authority with a field. */
const ADDRESS_AUTHORITY = 3

function skipPluginAuthority(reader: ByteReader): void {
  const kind = reader.u8()
  if (kind > ADDRESS_AUTHORITY) throw new RangeError('unknown kind of plugin authority')
  if (kind === ADDRESS_AUTHORITY) reader.skip(ADDRESS_BYTES)
}
