import { createHash } from 'node:crypto'
import { identityAddress } from '@slipway/launch-model/addresses'
import { addressAt, addressBytes } from '@slipway/launch-model/bytes/base58'
import { launchPool } from '@slipway/launch-model/kinds/launch-pool'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { sampleLaunch } from '../lib/sample-launches.ts'

interface Sample {
  address: Address
  data: Buffer
}

const hash = (text: string) => createHash('sha256').update(text).digest()

/** The only bucket of a sample launch: a launch pool of the usual size. */
export function sampleBucket(index: number): Sample & { genesisAddress: Address } {
  const { genesisAddress, mint } = sampleLaunch(index)
  const { layout, key } = launchPool
  const data = Buffer.alloc(layout.offsetOf('endBehaviors') + 12)
  data[0] = key
  data.set(addressBytes(genesisAddress), layout.offsetOf('genesis'))
  data.set(addressBytes(mint), layout.offsetOf('baseMint'))
  data.set(addressBytes(WRAPPED_NATIVE_MINT), layout.offsetOf('quoteMint'))
  return { address: addressAt(hash(`bucket ${index}`)), genesisAddress, data }
}

/** The data of any mint. */
export const SAMPLE_MINT = Buffer.alloc(82)
SAMPLE_MINT.set([6, 1], 44)

/** A Core asset with a name and a URI, without plugins. */
export function sampleAsset(index: number): Sample {
  const text = (value: string) => {
    const bytes = Buffer.from(value)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    return [length, bytes]
  }
  return {
    address: addressAt(hash(`asset ${index}`)),
    data: Buffer.concat([
      Buffer.of(1),
      hash(`owner ${index}`),
      Buffer.of(1),
      hash('authority'),
      ...text(`Agent ${index}`),
      ...text(`https://agents.example/${index}.json`),
      Buffer.of(0),
    ]),
  }
}

export function sampleIdentity(index: number): Sample {
  const asset = sampleAsset(index).address
  const data = Buffer.alloc(104)
  data[0] = 2
  data.set(addressBytes(asset), 8)
  return { address: identityAddress(asset), data }
}
