import { REFUSALS } from '@slipway/launch-model/actions'
import { Address } from '../../../components/address.tsx'
import { Time } from '../../../components/time.tsx'
import { useSite } from '../../../lib/site-context.ts'
import { walletHref } from '../../../lib/wallets.ts'
import { useTerms } from '../terms/launch-terms.tsx'
import type { Standstill } from './find-standstill.ts'
import styles from './take-part.module.css'
import { addressOf, sayer, type Taking } from './taking.ts'

/** Why there is no form: one sentence, and what happens next. */
export function StandstillNote({ taking, standstill }: { taking: Taking; standstill: Standstill }) {
  return (
    <p className={styles.note} role="status">
      {standstill === 'SOLD_OUT' ? (
        'Every token is sold. Those who have some keep them, and can trade them once the launch has graduated into its liquidity pool.'
      ) : standstill === 'CAP_REACHED' ? (
        <>
          The cap is reached, so every token is sold. The presale closes{' '}
          <Time at={taking.data.launch.endTime} />.
        </>
      ) : standstill === 'FIRST_BUY_OPEN' ? (
        <FirstBuy taking={taking} />
      ) : (
        `${REFUSALS[standstill]}.`
      )}
    </p>
  )
}

function FirstBuy({ taking }: { taking: Taking }) {
  const { networks } = useSite().settings
  const { network } = taking
  const firstBuy = useTerms(network, addressOf(taking)).data?.firstBuy
  if (!firstBuy) return 'The first buy is reserved. Trading opens to everyone after it.'
  return (
    <>
      Trading opens to everyone after the first buy, which is for {sayer(taking).quote(firstBuy.amount)} and
      reserved for{' '}
      <Address
        address={firstBuy.buyer}
        network={network}
        label="the first buyer’s wallet"
        href={walletHref(firstBuy.buyer, network, networks)}
      />
    </>
  )
}
