import { describedAddress } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { z } from 'zod'

export const LaunchParams = z.object({
  genesisAddress: describedAddress("The launch's address.", EXAMPLE_ADDRESSES.launch),
})
