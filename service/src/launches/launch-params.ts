import { describedAddress } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { z } from 'zod'

export const LaunchParams = z.object({
  genesisAddress: describedAddress("The launch's address.", EXAMPLE_ADDRESSES.launch),
})

const IsoTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()])
/** A time as milliseconds. */
export const TimeInput = z
  .string()
  .refine(text => IsoTime.safeParse(text).success)
  .transform(text => Date.parse(text))
  .optional()
