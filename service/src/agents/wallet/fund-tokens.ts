import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { planTokenFunding } from '@slipway/launch-model/plan-agent'
import { RENT_SYSVAR, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { TOKEN_ACCOUNT_BYTES } from '@slipway/launch-model/rent'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { BlockhashSource, ChainAccount } from '../../chain/account-reader.ts'
import { decodeRent } from '../../chain/accounts/rent.ts'
import type { ChainRpc } from '../../chain/rpc/create-rpc.ts'
import { compileSteps } from '../../chain/transactions/compile-steps.ts'
import type { WrittenAmount } from '../parse-amount.ts'
import { assertSimulated, decodeToken, resolveAmount, tokenAddresses } from './read-token.ts'

interface TokenFunding {
  address: Address
  sender: Address
  mint: Address
  amount: WrittenAmount
  memo: string
}

/** Builds the transaction that a sender signs to pay tokens to an agent. Native currency is wrapped on the way. */
export async function fundTokens(
  { rpc, blockhash }: { rpc: Pick<ChainRpc, 'fetchAccounts' | 'simulate'>; blockhash: BlockhashSource },
  { address, sender, mint, amount: written, memo }: TokenFunding,
) {
  const wallet = assetSignerAddress(address)
  const [{ accounts }, recent] = await Promise.all([
    rpc.fetchAccounts([sender, RENT_SYSVAR, ...tokenAddresses(mint, [wallet, sender])]),
    blockhash.latestFor(`fund ${address} ${sender} ${mint} ${written} ${memo}`),
  ])
  const [payer, rent] = accounts as [ChainAccount, ChainAccount]
  const { token, accountOf } = decodeToken(mint, accounts)
  const to = accountOf(wallet)
  const isNative = mint === WRAPPED_NATIVE_MINT
  const from = isNative ? undefined : accountOf(sender)
  if ((from?.exists && from.isFrozen) || (to.exists && to.isFrozen)) throw new ServiceError('TOKEN_FROZEN')
  const accountRent = to.exists ? 0n : decodeRent(rent)(TOKEN_ACCOUNT_BYTES)
  const has = isNative ? spendable(payer, accountRent) : from?.exists ? from.amount : 0n
  const amount = resolveAmount(written, has, token.decimals)
  const steps = planTokenFunding(token, { sender, wallet, amount, memo })
  const tx = compileSteps(steps, { payer: sender, blockhash: recent.blockhash })
  assertSimulated(await rpc.simulate(tx))
  return { tx, blockhash: recent, amount: `${amount}`, decimals: token.decimals }
}

const SIGNATURE_LAMPORTS = 5_000n

/** What a wallet can pay after the fee of one signature and these costs. */
export function spendable(payer: ChainAccount, costs = 0n): bigint {
  const left = (payer.exists ? payer.lamports : 0n) - SIGNATURE_LAMPORTS - costs
  return left > 0n ? left : 0n
}
