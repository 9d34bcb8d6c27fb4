import type { BuiltLaunchClaim, LaunchPosition } from '@slipway/client'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { ReactNode } from 'react'
import type { Action } from '../../../actions/action.ts'
import { Button } from '../../../components/button.tsx'
import { formatTime } from '../../../lib/format.ts'
import { titleOf } from '../../../lib/launches.ts'
import { useSite } from '../../../lib/site-context.ts'
import { ClaimText, OwedText } from './claim-text.tsx'
import styles from './take-part.module.css'
import { addressOf, launchTokensOf, sayer, symbolsOf, type Taking } from './taking.ts'

/** Everything that the launch owes the wallet, in one button. */
export function ClaimPart({
  taking,
  position,
  Frame,
}: {
  taking: Taking
  position: LaunchPosition
  /** What is around it: a card of its own, or a part of a sheet. */
  Frame: (props: { title: string; children: ReactNode }) => ReactNode
}) {
  const { slipway } = useSite()
  const { data, network, account, tokens } = taking
  const { quoteDecimals, baseDecimals } = tokens
  const symbols = symbolsOf(taking)
  const { claimable, refundable, proceeds } = position
  const isRefund = refundable !== '0'
  const say = sayer(taking)
  const isStarted = [claimable, refundable, proceeds].some(units => units !== '0')

  function claim() {
    if (!account) return
    let built: BuiltLaunchClaim | undefined
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
        built = await slipway.launches.claim(addressOf(taking), request, { signal })
        const { transactions, blockhash, receives } = built
        const intent = { kind: 'claim-launch' as const, ...launchTokensOf(taking) }
        const unwraps = request.unwrap
        const income = [
          {
            units: BigInt(receives.tokens),
            decimals: baseDecimals,
            symbol: symbols.base,
            mint: data.baseToken.address,
          },
          {
            units: BigInt(receives.quote),
            decimals: quoteDecimals,
            symbol: symbols.quote,
            ...(!unwraps && { mint: tokens.quoteMint }),
          },
        ].filter(({ units }) => units > 0n)
        return { transactions, blockhash, intent, ...(income.length > 0 && { income }) }
      },
      done: () => describeDone(built, say),
      result(changes) {
        const tokens = changes.get(data.baseToken.address) ?? 0n
        const paysQuote = built?.receives.quote !== '0'
        // Beside tokens, what arrives can't be told from the rent for their account.
        if (isStart(built) || (tokens > 0n && paysQuote)) return undefined
        const quote = paysQuote ? (changes.get(taking.tokens.quoteMint) ?? 0n) : 0n
        return tokens > 0n || quote > 0n ? describeReceived({ tokens, quote }, say) : undefined
      },
      rest: 'Claim the rest',
      onConfirmed: taking.onConfirmed,
    }
    taking.open(action)
  }

  return (
    <Frame title={isRefund ? 'Your refund' : 'Yours to claim'}>
      <div className={styles.owed}>
        <p>
          {isRefund ? (
            'The launch missed its goal, so your deposit can be paid back. The deposit fee can’t.'
          ) : isStarted ? (
            <>
              <b>
                <OwedText {...{ data, position }} />
              </b>
              {describeOrigin(position, say)}
            </>
          ) : (
            'Your tokens are paid out over time. The payout has not started.'
          )}
        </p>
        <Button kind="primary" onClick={claim}>
          <ClaimText {...{ data, position }} />
        </Button>
      </div>
    </Frame>
  )
}

/** What it is a part of, and what for. Creators may be paid for other things than a deposit. */
const describeOrigin = ({ deposited, claimable, entitled, proceeds }: LaunchPosition, say: Say): string =>
  deposited === '0' || proceeds !== '0' || BigInt(claimable) > BigInt(entitled)
    ? ''
    : `${BigInt(claimable) < BigInt(entitled) ? ` of ${say.base(entitled)}` : ''}, for your deposit of ${say.quote(deposited)}`

/** Whether it pays nothing yet. */
const isStart = (built: BuiltLaunchClaim | undefined): boolean =>
  built?.receives.tokens === '0' && built.receives.quote === '0'

type Say = ReturnType<typeof sayer>

const describeReceived = ({ tokens, quote }: { tokens: bigint; quote: bigint }, say: Say, about = '') =>
  `You got ${about}${[tokens > 0n && say.base(tokens), quote > 0n && say.quote(quote)].filter(Boolean).join(' and ')}.`

function describeDone(built: BuiltLaunchClaim | undefined, say: Say): string {
  if (built && !isStart(built))
    return describeReceived(
      { tokens: BigInt(built.receives.tokens), quote: BigInt(built.receives.quote) },
      say,
      'about ',
    )
  return built?.nextClaim
    ? `Your payout has started. You can claim from ${formatTime(Date.parse(built.nextClaim), Date.now())}.`
    : 'Your payout has started. Come back later to claim it.'
}
