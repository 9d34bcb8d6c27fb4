/**
 * The ports of the embedded chains, as offsets from `LOCAL_CHAIN_PORT`. This file imports nothing, so that code which
 * only needs to know the ports doesn't load a chain.
 */
export const RPC_OFFSETS = { 'chain-mainnet': 0, 'chain-devnet': 100 } as const

/** Each chain serves WebSocket on the port above its RPC, where Solana's clients expect it. */
export const WEB_SOCKET_OFFSET = 1

/** The documents and the stand-in social network. */
export const DEMO_SERVER_OFFSET = 10

/** Every port that is taken, in ascending order. */
export const PORT_OFFSETS: readonly number[] = [
  ...Object.values(RPC_OFFSETS).flatMap(rpc => [rpc, rpc + WEB_SOCKET_OFFSET]),
  DEMO_SERVER_OFFSET,
].sort((a, b) => a - b)
