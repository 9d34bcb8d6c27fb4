import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { decodeTokenAccount } from '../chain/accounts/token-account.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { RpcError } from '../chain/rpc/fault.ts'

/** Anyone can give a wallet as many token accounts as they pay rent for. */
const LOOKED_AT_MAX = 1_000

/** The mints of which a wallet holds something, and whether it may hold more. */
export async function readHeldMints(
  rpc: Pick<ChainRpc, 'fetchTokenAccounts' | 'fetchAccounts'>,
  wallet: Address,
): Promise<{ mints: Set<Address>; truncated: boolean }> {
  const programs = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
  try {
    const found = await Promise.all(programs.map(programId => rpc.fetchTokenAccounts(wallet, { programId })))
    const accounts = found
      .flatMap(({ accounts }) => accounts)
      // Every node looks at the same ones, so that pages fit together.
      .sort((a, b) => (a.address < b.address ? -1 : 1))
    const tokens = accounts.slice(0, LOOKED_AT_MAX).map(decodeTokenAccount)
    const held = tokens.filter(token => token.exists && token.holder === wallet && token.amount > 0n)
    return {
      mints: new Set(held.flatMap(token => (token.exists ? token.mint : []))),
      truncated: accounts.length > LOOKED_AT_MAX,
    }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    // There may be more than a node returns. If this fails too, the RPC is down.
    await rpc.fetchAccounts([wallet])
    return { mints: new Set(), truncated: true }
  }
}
