/** For code that may not import the schema. */
export { DEFAULT_NETWORK, NETWORK_TABLE } from '@slipway/schema/network-table'
