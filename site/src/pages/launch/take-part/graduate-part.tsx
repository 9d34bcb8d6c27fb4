import type { Action } from '../../../actions/action.ts'
import { Button } from '../../../components/button.tsx'
import { titleOf } from '../../../lib/launches.ts'
import { useSite } from '../../../lib/site-context.ts'
import { openWalletDialog } from '../../../wallet/wallet-store.ts'
import { useTerms } from '../terms/launch-terms.tsx'
import styles from './take-part.module.css'
import { addressOf, launchTokensOf, type Taking } from './taking.ts'

/** Lets anyone create the pool that everyone waits for. */
export function GraduatePart({ taking, isPrimary }: { taking: Taking; isPrimary: boolean }) {
  const { slipway } = useSite()
  const { data, network, account } = taking
  const hasPool = useTerms(network, addressOf(taking)).data?.hasPool
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
      done: 'The launch has its pool. Tokens can be claimed and traded now.',
      rest: 'Send the rest',
      onConfirmed: taking.onConfirmed,
    }
    taking.open(action)
  }

  return (
    <section className={styles.owed} aria-label="Graduation">
      <p>
        This launch is waiting {hasPool ? 'for its liquidity pool' : 'to graduate'}. Anyone can send the
        transactions. They cost about 0.2 SOL in fees and rent, which you don’t get back.
      </p>
      <Button kind={isPrimary ? 'primary' : 'quiet'} onClick={graduate}>
        Graduate this launch
      </Button>
    </section>
  )
}
