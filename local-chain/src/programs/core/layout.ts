import {
  type ExternalPluginAdapter,
  getExternalPluginAdapterSerializer,
  getPluginHeaderV1AccountDataSerializer,
  Key,
} from '@metaplex-foundation/mpl-core'
// The account serializers that the package exports can only deserialize; its generated ones can do both.
import {
  type AssetV1AccountData,
  type AssetV1AccountDataArgs,
  getAssetV1AccountDataSerializer,
} from '@metaplex-foundation/mpl-core/dist/src/generated/types/assetV1AccountData.js'
import {
  type CollectionV1AccountData,
  type CollectionV1AccountDataArgs,
  getCollectionV1AccountDataSerializer,
} from '@metaplex-foundation/mpl-core/dist/src/generated/types/collectionV1AccountData.js'
import {
  getPluginRegistryV1AccountDataSerializer,
  type PluginRegistryV1AccountData,
} from '@metaplex-foundation/mpl-core/dist/src/generated/types/pluginRegistryV1AccountData.js'

export type Asset = AssetV1AccountData
export type Collection = CollectionV1AccountData

export const encodeAsset = (asset: AssetV1AccountDataArgs): Uint8Array =>
  getAssetV1AccountDataSerializer().serialize(asset)
export const encodeCollection = (collection: CollectionV1AccountDataArgs): Uint8Array =>
  getCollectionV1AccountDataSerializer().serialize(collection)
export const decodeAsset = (data: Uint8Array): [asset: Asset, length: number] =>
  getAssetV1AccountDataSerializer().deserialize(data)
export const decodeCollection = (data: Uint8Array): [collection: Collection, length: number] =>
  getCollectionV1AccountDataSerializer().deserialize(data)

/** Replaces the asset or collection at the start of the data, without changing its length or the plugins after it. */
export function replaceFront(data: Uint8Array, front: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(data)
  copy.set(front)
  return copy
}

export function decodeRegistry(data: Uint8Array): PluginRegistryV1AccountData | undefined {
  const [, front] = decodeAsset(data)
  if (front === data.length) return undefined
  const [header] = getPluginHeaderV1AccountDataSerializer().deserialize(data, front)
  return getPluginRegistryV1AccountDataSerializer().deserialize(data, Number(header.pluginRegistryOffset))[0]
}

type ExternalRecord = PluginRegistryV1AccountData['externalRegistry'][number]

/**
 * Adds an external plugin. The layout is asset, header, plugins, registry: the new plugin goes where the registry
 * was, and the registry follows it.
 */
export function appendExternalPlugin(
  data: Uint8Array,
  plugin: ExternalPluginAdapter,
  record: Pick<ExternalRecord, 'pluginType' | 'authority' | 'lifecycleChecks'>,
): Uint8Array {
  const header = getPluginHeaderV1AccountDataSerializer()
  const registries = getPluginRegistryV1AccountDataSerializer()
  const [, front] = decodeAsset(data)
  const headerLength = header.fixedSize as number
  const registry = decodeRegistry(data) ?? { key: Key.PluginRegistryV1, registry: [], externalRegistry: [] }
  const offset =
    front === data.length
      ? front + headerLength
      : Number(header.deserialize(data, front)[0].pluginRegistryOffset)
  const body = getExternalPluginAdapterSerializer().serialize(plugin)
  const after = registries.serialize({
    ...registry,
    externalRegistry: [
      ...registry.externalRegistry,
      { ...record, offset: BigInt(offset), dataOffset: null, dataLen: null },
    ],
  } as never)
  return Uint8Array.from([
    ...data.subarray(0, front),
    ...header.serialize({
      key: Key.PluginHeaderV1,
      pluginRegistryOffset: BigInt(offset + body.length),
    } as never),
    ...data.subarray(front + headerLength, offset),
    ...body,
    ...after,
  ])
}
