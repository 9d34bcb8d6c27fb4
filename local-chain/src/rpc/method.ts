import type { Chain } from '../ledger/create-chain.ts'
import type { createFaucet } from '../ledger/faucet.ts'
import type { MethodName } from './arity.ts'
import type { Params } from './params.ts'

type MethodContext = {
  readonly chain: Chain
  readonly faucet: ReturnType<typeof createFaucet>
}

/** A method returns its result or throws an `RpcError`. */
export type Method = (context: MethodContext, params: Params) => unknown

/** Methods by name. */
export type Methods = { readonly [Name in MethodName]?: Method }
