import type { LaunchPosition } from '@slipway/client'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Action } from '../../../actions/action.ts'
import { Button } from '../../../components/button.tsx'
import { formatExactly, formatUnits } from '../../../lib/format.ts'
import { titleOf } from '../../../lib/launches.ts'
import { useSite } from '../../../lib/site-context.ts'
import styles from './take-part.module.css'
import { addressOf, launchTokensOf, symbolsOf, type Taking } from './taking.ts'

/** Everything that the launch owes the wallet, in one button. */
export function ClaimPart({ taking, position }: { taking: Taking; position: LaunchPosition }) {
  const { slipway } = useSite()
  const { data, network, account, tokens } = taking
  const { quoteDecimals, baseDecimals } = tokens
  const symbols = symbolsOf(taking)
  const { claimable, refundable, proceeds } = position
  const isRefund = refundable !== '0'
  const describe = (format: typeof formatUnits) =>
    [
      [claimable, baseDecimals, symbols.base] as const,
      [refundable, quoteDecimals, symbols.quote] as const,
      [proceeds, quoteDecimals, symbols.quote] as const,
    ]
      .filter(([units]) => units !== '0')
      .map(([units, decimals, symbol]) => `${format(units, decimals)} ${symbol}`)
      .join(' and ')

  function claim() {
    if (!account) return
    const action: Action = {
      key: `claim-launch:${network}:${addressOf(taking)}:${account.address}`,
      title: isRefund ? `Refund from ${titleOf(data)}` : `Claim from ${titleOf(data)}`,
      network,
      inOrder: true,
      async build(signal) {
        const request = {
          wallet: account?.address ?? '',
          unwrap: tokens.quoteMint === WRAPPED_NATIVE_MINT,
          network,
        }
        const { transactions, blockhash } = await slipway.launches.claim(addressOf(taking), request, {
          signal,
        })
        const intent = { kind: 'claim-launch' as const, ...launchTokensOf(taking) }
        return { transactions, blockhash, intent, income: describe(formatExactly) }
      },
      done: isRefund ? 'Your deposit is back in your wallet.' : 'What you claimed is in your wallet.',
      rest: 'Claim the rest',
      onConfirmed: taking.onConfirmed,
    }
    taking.open(action)
  }

  return (
    <section className={styles.owed} aria-label="What this launch owes you">
      <p>{isRefund ? 'The launch missed its goal. You can take your deposit back.' : 'You can claim now.'}</p>
      <Button kind="primary" onClick={claim}>
        <span>
          {isRefund ? 'Get' : 'Claim'} <bdi>{describe(formatUnits)}</bdi>
          {isRefund && ' back'}
        </span>
      </Button>
    </section>
  )
}
