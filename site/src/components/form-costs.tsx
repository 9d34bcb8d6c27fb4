import type { Network } from '@slipway/client'
import type { Rent } from '@slipway/launch-model/rent'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatUnits } from '../lib/format.ts'
import { NATIVE_DECIMALS, toSol } from '../lib/native.ts'
import { balanceQuery, rentQuery } from '../lib/queries.ts'
import { useSite } from '../lib/site-context.ts'
import { useWallet } from '../wallet/wallet-store.ts'
import { Facts } from './facts.tsx'
import styles from './form-costs.module.css'
import { FormSection } from './form-layout.tsx'

/** What is known of the costs before anything is built, and whether the connected wallet can pay them. */
export function FormCosts({
  facts,
  totalLamports,
  shortage,
  network,
  children,
}: {
  facts: [name: string, value: ReactNode][]
  /** Undefined while it is not known. */
  totalLamports: bigint | undefined
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
          ['Total', totalLamports !== undefined && <b key="total">About {toSol(totalLamports)}</b>],
          [
            'Your balance',
            balance === undefined ? undefined : `${formatUnits(balance, NATIVE_DECIMALS)} SOL`,
          ],
        ]}
      />
      {balance !== undefined && totalLamports !== undefined && BigInt(balance) < totalLamports && (
        <p role="status" className={styles.shortage}>
          Your balance is too low: {shortage} Fund the wallet first, or choose another account.
        </p>
      )}
      {children}
    </FormSection>
  )
}

/** What rent costs on a network; undefined while it is not known. */
export function useRent(network: Network): Rent | undefined {
  const url = useSite().settings.rpc[network]?.url
  return useQuery({ ...rentQuery(url ?? '', network), enabled: url !== undefined }).data
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
