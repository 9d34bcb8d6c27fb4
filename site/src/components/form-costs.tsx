import type { Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatUnits } from '../lib/format.ts'
import { NATIVE_DECIMALS, toSol } from '../lib/native.ts'
import { balanceQuery } from '../lib/queries.ts'
import { useSite } from '../lib/site-context.ts'
import { useWallet } from '../wallet/wallet-store.ts'
import { Facts } from './facts.tsx'
import styles from './form-costs.module.css'
import { FormSection } from './form-layout.tsx'

/** What is known of the costs before anything is built, and whether the connected wallet can pay them. */
export function FormCosts({
  facts,
  totalSol,
  shortage,
  network,
  children,
}: {
  facts: [name: string, value: ReactNode][]
  totalSol: number
  /** What it means if the balance is too low. */
  shortage: string
  network: Network
  children?: ReactNode
}) {
  const balance = useBalance(network)
  return (
    <FormSection title="Cost">
      <Facts
        facts={[
          ...facts,
          ['Fee of this service', 'None'],
          ['Total', <b key="total">About {toSol(BigInt(Math.round(totalSol * 10 ** NATIVE_DECIMALS)))}</b>],
          [
            'Your balance',
            balance === undefined ? undefined : `${formatUnits(balance, NATIVE_DECIMALS)} SOL`,
          ],
        ]}
      />
      {balance !== undefined && Number(balance) / 10 ** NATIVE_DECIMALS < totalSol && (
        <p role="status" className={styles.shortage}>
          Your balance is too low: {shortage} Fund the wallet first, or choose another account.
        </p>
      )}
      {children}
    </FormSection>
  )
}

/** The balance of the account that would pay, in lamports; undefined while it is not known. */
function useBalance(network: Network): string | undefined {
  const { settings } = useSite()
  const { account } = useWallet()
  const url = settings.rpc[network]?.url
  const { data } = useQuery({
    ...balanceQuery(url ?? '', network, account?.address ?? ''),
    enabled: url !== undefined && account?.networks.includes(network) === true,
  })
  return data
}
