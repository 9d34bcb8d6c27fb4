import { decodeRent as decodeRentData, type Rent } from '@slipway/launch-model/rent'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../account-reader.ts'

/** What rent costs now. Nothing is built on an endpoint that says what can't be true. */
export function decodeRent(sysvar: ChainAccount | undefined): Rent {
  try {
    if (sysvar?.exists) return decodeRentData(sysvar.data)
  } catch (cause) {
    throw new ServiceError('SERVICE_UNAVAILABLE', { cause })
  }
  throw new ServiceError('SERVICE_UNAVAILABLE')
}
