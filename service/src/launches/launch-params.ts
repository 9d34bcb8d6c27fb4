import { describedAddress } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { z } from 'zod'

export const LaunchParams = z.object({
  genesisAddress: describedAddress("The launch's address.", EXAMPLE_ADDRESSES.launch),
})

const IsoTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()])
/** A time as milliseconds. */
const TimeInput = z
  .string()
  .refine(text => IsoTime.safeParse(text).success)
  .transform(text => Date.parse(text))
  .optional()

/** The parameters of a range of times, and what `from` is by default. */
export const timeRange = (fromDefault: string) => ({
  from: TimeInput.meta({
    type: 'string',
    format: 'date-time',
    description: `ISO 8601; ${fromDefault} by default.`,
  }),
  to: TimeInput.meta({ type: 'string', format: 'date-time', description: 'ISO 8601; now by default.' }),
})

export const isTimeRange = ({ from, to }: { from?: number | undefined; to?: number | undefined }): boolean =>
  from === undefined || to === undefined || from <= to
