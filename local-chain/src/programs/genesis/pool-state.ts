import type { PublicKey } from '@metaplex-foundation/umi'
import { publicKey as publicKeySerializer } from '@metaplex-foundation/umi/serializers'

/**
 * The fields of a Raydium constant-product pool that are needed here, by offset: none of the official packages has a
 * serializer for this account.
 */
const POOL_STATE_BYTES = 637
const DISCRIMINATOR = Uint8Array.of(247, 237, 227, 245, 215, 195, 222, 70)
const MINT_0 = 168
const MINT_1 = 200
const CREATOR_FEES_0 = 397
const CREATOR_FEES_1 = 405

const key = publicKeySerializer()
const view = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength)

/** The creator fees that the pool holds in both tokens; `undefined` if the data is not a pool of these mints. */
export function decodePool(
  data: Uint8Array,
  baseMint: PublicKey,
  quoteMint: PublicKey,
): { base: bigint; quote: bigint } | undefined {
  if (data.length !== POOL_STATE_BYTES) return undefined
  const [mint0] = key.deserialize(data, MINT_0)
  const [mint1] = key.deserialize(data, MINT_1)
  const fees0 = view(data).getBigUint64(CREATOR_FEES_0, true)
  const fees1 = view(data).getBigUint64(CREATOR_FEES_1, true)
  if (mint0 === baseMint && mint1 === quoteMint) return { base: fees0, quote: fees1 }
  if (mint0 === quoteMint && mint1 === baseMint) return { base: fees1, quote: fees0 }
  return undefined
}

export function encodePoolFees(data: Uint8Array, fees0: bigint, fees1: bigint): Uint8Array {
  const copy = Uint8Array.from(data)
  view(copy).setBigUint64(CREATOR_FEES_0, fees0, true)
  view(copy).setBigUint64(CREATOR_FEES_1, fees1, true)
  return copy
}

/** A pool that contains only its mints. */
export function blankPool(mint0: PublicKey, mint1: PublicKey): Uint8Array {
  const data = new Uint8Array(POOL_STATE_BYTES)
  data.set(DISCRIMINATOR)
  data.set(key.serialize(mint0), MINT_0)
  data.set(key.serialize(mint1), MINT_1)
  return data
}
