/** For code that may not import the schema. */
export { NETWORK_TABLE } from '@slipway/schema/network-table'
