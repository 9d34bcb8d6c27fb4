import { createPress } from '@slipway/service/launches/listing/press'
import { createNetworkListings } from '@slipway/service/launches/network-listings'
import { sampleLaunch } from './sample-launches.ts'

/** The listing of all launches as plain buffers. */
export async function printListing(launches: number) {
  const listings = createNetworkListings({
    launchPage: 'https://slipway.example/launches/{genesisAddress}',
    press: createPress(),
    clock: Date.now,
  })
  await listings.update(
    Array.from({ length: launches }, (_, index) => listings.entryOf(sampleLaunch(index))),
    [],
  )
  const { identity, gzip = identity } = listings.listing({ status: undefined, spotlight: undefined })
  return {
    identity: { bytes: Buffer.concat(identity.parts), etag: identity.etag },
    gzip: { bytes: Buffer.concat(gzip.parts), etag: gzip.etag },
  }
}
