export { type Claim, createSlipway, type Slipway, type SlipwayOptions } from './create-slipway.ts'
export type {
  EventFilter,
  EventOptions,
  FeedEvent,
  FeedStatus,
  ResetEvent,
  SlipwayEvent,
} from './events.ts'
export { explainFailure, type TradeFailure, type TradeFailureCode } from './explain-failure.ts'
export { formatAmount } from './format-amount.ts'
export type { LaunchPage } from './launches.ts'
export { type OwnerChange, signOwnerChange } from './owner-change.ts'
export { type ClientErrorCode, type ErrorDetail, SlipwayError } from './slipway-error.ts'
export type { CallOptions, ReadOptions } from './transport.ts'
export type * from './types.ts'
