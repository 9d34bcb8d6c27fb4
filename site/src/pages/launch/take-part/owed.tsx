import type { BuiltLaunchClaim, LaunchPosition } from '@slipway/client'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { ReactNode } from 'react'
import type { Action } from '../../../actions/action.ts'
import { Button } from '../../../components/button.tsx'
import { formatTime } from '../../../lib/format.ts'
import { isRaise, titleOf } from '../../../lib/launches.ts'
import { useSite } from '../../../lib/site-context.ts'
import { openWalletDialog } from '../../../wallet/wallet-store.ts'
import { useTerms } from '../launch-terms.tsx'
import type { Term } from '../read-terms.ts'
import { say, type TakePartContext } from './context.ts'
import styles from './take-part.module.css'
import { ClaimText, OwedText } from './take-part-bar.tsx'

/** Everything that the launch owes the wallet, in one button. */
export function ClaimPart({
  context,
  position,
  Frame,
}: {
  context: TakePartContext
  position: LaunchPosition
  /** What is around it: a card of its own, or a part of a sheet. */
  Frame: (props: { title: string; children: ReactNode }) => ReactNode
}) {
  const { slipway } = useSite()
  const { data, network, address, account, tokens, quote, base } = context
  const { claimable, refundable, proceeds } = position
  const isRefund = refundable !== '0'
  const isStarted = [claimable, refundable, proceeds].some(units => units !== '0')

  function claim() {
    if (!account) return
    let built: BuiltLaunchClaim | undefined
    const action: Action = {
      key: `claim-launch:${network}:${address}:${account.address}`,
      title: isRefund ? `Refund from ${titleOf(data)}` : `Claim from ${titleOf(data)}`,
      network,
      inOrder: true,
      async build(signal) {
        const unwrap = tokens.quoteMint === WRAPPED_NATIVE_MINT
        const request = { wallet: account.address, unwrap, network }
        built = await slipway.launches.claim(address, request, { signal })
        const { transactions, blockhash, receives } = built
        const intent = { kind: 'claim-launch' as const, ...tokens }
        const income = [
          { units: BigInt(receives.tokens), ...base, mint: tokens.baseMint },
          { units: BigInt(receives.quote), ...quote, ...(!unwrap && { mint: tokens.quoteMint }) },
        ].filter(({ units }) => units > 0n)
        return { transactions, blockhash, intent, ...(income.length > 0 && { income }) }
      },
      done: () => describeDone(built, context),
      result(changes) {
        const got = changes.get(tokens.baseMint) ?? 0n
        const paysQuote = built?.receives.quote !== '0'
        // Beside tokens, what arrives can't be told from the rent for their account.
        if (isStart(built) || (got > 0n && paysQuote)) return undefined
        const paid = paysQuote ? (changes.get(tokens.quoteMint) ?? 0n) : 0n
        return got > 0n || paid > 0n ? describeReceived(got, paid, context) : undefined
      },
      rest: 'Claim the rest',
      onConfirmed: context.onConfirmed,
    }
    context.open(action)
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
              {describeOrigin(position, context)}
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

type Tokens = Pick<TakePartContext, 'quote' | 'base'>

/** What it is a part of, and what for. Creators may be paid for other things than a deposit. */
const describeOrigin = (
  { deposited, claimable, entitled, proceeds }: LaunchPosition,
  { quote, base }: Tokens,
): string =>
  deposited === '0' || proceeds !== '0' || BigInt(claimable) > BigInt(entitled)
    ? ''
    : `${BigInt(claimable) < BigInt(entitled) ? ` of ${say(entitled, base)}` : ''}, for your deposit of ${say(deposited, quote)}`

/** Whether it pays nothing yet. */
const isStart = (built: BuiltLaunchClaim | undefined): boolean =>
  built?.receives.tokens === '0' && built.receives.quote === '0'

const describeReceived = (got: bigint, paid: bigint, { quote, base }: Tokens, about = '') =>
  `You got ${about}${[got > 0n && say(got, base), paid > 0n && say(paid, quote)].filter(Boolean).join(' and ')}.`

function describeDone(built: BuiltLaunchClaim | undefined, tokens: Tokens): string {
  if (built && !isStart(built))
    return describeReceived(BigInt(built.receives.tokens), BigInt(built.receives.quote), tokens, 'about ')
  return built?.nextClaim
    ? `Your payout has started. You can claim from ${formatTime(Date.parse(built.nextClaim), Date.now())}.`
    : 'Your payout has started. Come back later to claim it.'
}

/** Lets anyone create the pool that everyone waits for. */
export function GraduatePart({ context, isPrimary }: { context: TakePartContext; isPrimary: boolean }) {
  const { slipway } = useSite()
  const { data, network, address, account, position, figures, tokens, quote } = context
  const terms = useTerms(network, address).data
  const hasPool = terms?.hasPool
  if (hasPool === false) return <p className={styles.note}>This launch doesn’t create a liquidity pool.</p>

  function graduate() {
    if (!account) return openWalletDialog()
    const action: Action = {
      key: `graduate:${network}:${address}`,
      title: `Graduate ${titleOf(data)}`,
      network,
      inOrder: true,
      async build(signal) {
        const request = { payer: account.address, network }
        const built = await slipway.launches.graduate(address, request, { signal })
        const { transactions, blockhash, cost } = built
        const [totalLamports, fees] = [BigInt(cost.total), BigInt(cost.fees)]
        return {
          transactions,
          blockhash,
          intent: { kind: 'graduate', ...tokens },
          estimate: { totalLamports, rentLamports: totalLamports - fees },
        }
      },
      note: describePurpose(
        figures && say(figures.raised, quote),
        hasPool === true && isOnePart(terms?.money),
      ),
      done:
        data.launch.mechanic === 'bondingCurveV2'
          ? 'The launch has graduated. Its token is traded in the pool now.'
          : 'The launch has graduated. Tokens can be claimed now.',
      rest: 'Send the rest',
      onConfirmed: context.onConfirmed,
    }
    context.open(action)
  }

  return (
    <section className={styles.owed} aria-label="Waiting to graduate">
      <p>
        {hasPool ? 'Its liquidity pool has not been created yet' : 'It has not graduated yet'}. Anyone can do
        this. It costs fees and rent, which you don’t get back. You see how much before you sign.
      </p>
      {terms &&
        !terms.neverPays &&
        isRaise(data.launch.mechanic) &&
        position &&
        position.entitled !== '0' && (
          <p>
            After that, {terms.payout ? 'you are paid' : 'you can claim'}{' '}
            <b>{say(position.entitled, context.base)}</b>
            {terms.payout ? ' over time' : ''}.
          </p>
        )}
      <Button kind={isPrimary ? 'primary' : 'quiet'} onClick={graduate}>
        Graduate this launch
      </Button>
    </section>
  )
}

/** Whether everything that was raised goes to the same part of the launch, which is its pool if it has one. */
const isOnePart = (money: readonly Term[] = []): boolean =>
  money.length === 1 && money.every(({ share, wallet }) => share === 1 && wallet === undefined)

function describePurpose(raised: string | undefined, isAll: boolean): string {
  const purpose = raised
    ? isAll
      ? `This pays the ${raised} raised into the new pool. `
      : `This pays out the ${raised} raised, as the terms say. `
    : ''
  return `${purpose}You aren’t paid for it, and the fees and the rent don’t come back.`
}
