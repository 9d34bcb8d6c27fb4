import { useQuery } from '@tanstack/react-query'
import type { Action } from '../../../actions/action.ts'
import { Button } from '../../../components/button.tsx'
import { figuresOf, isRaise, titleOf } from '../../../lib/launches.ts'
import { activityQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import { openWalletDialog } from '../../../wallet/wallet-store.ts'
import { useTerms } from '../terms/launch-terms.tsx'
import type { Term } from '../terms/read-terms.ts'
import styles from './take-part.module.css'
import { addressOf, launchTokensOf, sayer, type Taking } from './taking.ts'

/** Lets anyone create the pool that everyone waits for. */
export function GraduatePart({ taking, isPrimary }: { taking: Taking; isPrimary: boolean }) {
  const { slipway } = useSite()
  const { data, network, account, position } = taking
  const terms = useTerms(network, addressOf(taking)).data
  const hasPool = terms?.hasPool
  const { data: activity } = useQuery(activityQuery(slipway, network, addressOf(taking), 'day'))
  if (hasPool === false) return <p className={styles.note}>This launch doesn’t create a liquidity pool.</p>

  function graduate() {
    if (!account) return openWalletDialog()
    const action: Action = {
      key: `graduate:${network}:${addressOf(taking)}`,
      title: `Graduate ${titleOf(data)}`,
      network,
      inOrder: true,
      async build(signal) {
        const request = { payer: account?.address ?? '', network }
        const { transactions, blockhash, cost } = await slipway.launches.graduate(
          addressOf(taking),
          request,
          { signal },
        )
        const [totalLamports, fees] = [BigInt(cost.total), BigInt(cost.fees)]
        return {
          transactions,
          blockhash,
          intent: { kind: 'graduate', ...launchTokensOf(taking) },
          estimate: { totalLamports, rentLamports: totalLamports - fees },
        }
      },
      note: describePurpose(taking, figuresOf(activity)?.raised, hasPool === true && isOnePart(terms?.money)),
      done:
        data.launch.mechanic === 'bondingCurveV2'
          ? 'The launch has graduated. Its token is traded in the pool now.'
          : 'The launch has graduated. Tokens can be claimed now.',
      rest: 'Send the rest',
      onConfirmed: taking.onConfirmed,
    }
    taking.open(action)
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
            <b>{sayer(taking).base(position.entitled)}</b>
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

function describePurpose(taking: Taking, raised: string | undefined, isAll: boolean): string {
  const amount = raised && `${sayer(taking).quote(raised)} raised`
  const purpose = amount
    ? isAll
      ? `This pays the ${amount} into the new pool. `
      : `This pays out the ${amount}, as the terms say. `
    : ''
  return `${purpose}You aren’t paid for it, and the fees and the rent don’t come back.`
}
