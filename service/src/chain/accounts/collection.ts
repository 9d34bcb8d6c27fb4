import { CORE_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { type ByteReader, createByteReader, type Decoded, decodeProgramAccount } from './decode-account.ts'

interface Collection {
  updateAuthority: Address
  /** Who else may mint into it: the update delegate and its additional delegates. */
  delegates: Address[]
}

/** The first byte of a Core account. */
const COLLECTION_V1 = 5
const PLUGIN_REGISTRY_V1 = 4
/** The type of a plugin, in the registry and in the plugin itself. */
const UPDATE_DELEGATE = 4
/** The only kind of plugin authority with a field. */
const ADDRESS_AUTHORITY = 3

/** A Core collection, with those who may mint into it. */
export const decodeCollection = (account: ChainAccount): Decoded<Collection> =>
  decodeProgramAccount(account, [CORE_PROGRAM], ({ data }) => {
    const reader = createByteReader(data)
    if (reader.u8() !== COLLECTION_V1) return 'other-kind'
    const updateAuthority = reader.address()
    reader.text()
    reader.text()
    // How many assets were minted, and how many are left.
    reader.u32()
    reader.u32()
    return { updateAuthority, delegates: decodeDelegates(data, reader.offset) }
  })

/** Empty for plugins that are broken or newer than this decoder: they must not hide the collection. */
function decodeDelegates(data: Uint8Array, end: number): Address[] {
  if (end === data.length) return []
  try {
    const header = createByteReader(data, end)
    header.skip(1)
    return readDelegates(data, createByteReader(data, Number(header.u64())))
  } catch {
    return []
  }
}

function readDelegates(data: Uint8Array, registry: ByteReader): Address[] {
  if (registry.u8() !== PLUGIN_REGISTRY_V1) throw new RangeError('not a plugin registry')
  for (let left = registry.length(); left > 0; left -= 1) {
    const type = registry.u8()
    const delegate = registry.u8() === ADDRESS_AUTHORITY ? [registry.address()] : []
    const offset = Number(registry.u64())
    if (type !== UPDATE_DELEGATE) continue
    const plugin = createByteReader(data, offset)
    if (plugin.u8() !== UPDATE_DELEGATE) throw new RangeError('not an update delegate')
    return [...delegate, ...Array.from({ length: plugin.length() }, () => plugin.address())]
  }
  return []
}
