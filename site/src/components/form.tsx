import type { Network } from '@slipway/client'
import type { Rent } from '@slipway/launch-model/rent'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { formatUnits, NATIVE_DECIMALS, networkName, toSol } from '../lib/format.ts'
import { balanceQuery, rentQuery } from '../lib/queries.ts'
import { useSite } from '../lib/site-context.ts'
import { openWalletDialog, useWallet, type WalletAccount } from '../wallet/wallet-store.ts'
import { Button } from './button.tsx'
import styles from './form.module.css'
import { Facts } from './layout.tsx'

/** A form in one column, with a preview beside it, or below it on a phone. */
export function FormLayout({
  onSubmit,
  preview,
  totalLamports,
  children,
}: {
  onSubmit(event: FormEvent<HTMLFormElement>): void
  preview: ReactNode
  /** What creating it costs, as entered so far. Undefined while it is not known. */
  totalLamports: bigint | undefined
  children: ReactNode
}) {
  return (
    <div className={styles.columns}>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <p className="soft">
          {totalLamports === undefined ? (
            'What it costs is listed at the end of the form.'
          ) : (
            <>
              It costs about <b>{formatUnits(totalLamports, NATIVE_DECIMALS)} SOL</b>, as listed at the end of
              the form.
            </>
          )}
        </p>
        {children}
      </form>
      <aside className={styles.preview} aria-label="Preview">
        {preview}
      </aside>
    </div>
  )
}

export function FormSection({
  title,
  text,
  children,
}: {
  title: string
  text?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {text && <p className="soft">{text}</p>}
      {children}
    </section>
  )
}

/** The button of a form, and what it costs to go on. On a phone, the button stays at the bottom. */
export const FormSubmit = ({ button, text }: { button: ReactNode; text: ReactNode }) => (
  <>
    <p className="soft">{text}</p>
    <div className={styles.submit}>{button}</div>
  </>
)

/** What is known of the costs before anything is built, and whether the connected wallet can pay them. */
export function FormCosts({
  facts,
  totalLamports,
  shortage,
  network,
  children,
}: {
  facts: Record<string, ReactNode>
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
        facts={{
          ...facts,
          'Fee of this service': 'None',
          Total: totalLamports !== undefined && <b>About {toSol(totalLamports)}</b>,
          'Your balance': balance === undefined ? undefined : `${formatUnits(balance, NATIVE_DECIMALS)} SOL`,
        }}
      />
      {balance !== undefined && totalLamports !== undefined && BigInt(balance) < totalLamports && (
        <p role="status" className="danger">
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

/** The network that was chosen; before that, the first one that the account can sign for. */
export function chooseNetwork(
  chosen: Network | '',
  served: readonly Network[],
  account: Pick<WalletAccount, 'networks'> | undefined,
): Network {
  const usable = served.find(network => account?.networks.includes(network))
  return served.find(network => network === chosen) ?? usable ?? (served[0] as Network)
}

/** Whether the account, if there is one, can sign for the network. */
export const canSignFor = (network: Network, account: Pick<WalletAccount, 'networks'> | undefined): boolean =>
  account?.networks.includes(network) ?? true

/** Chooses a network, and says so if the connected account is for another one. */
export function NetworkField({
  network,
  networks,
  error,
  onChoose,
}: {
  network: Network
  networks: readonly Network[]
  error?: string | undefined
  onChoose(network: Network): void
}) {
  const { account } = useWallet()
  const isMismatch = !canSignFor(network, account)
  return (
    <fieldset className={styles.networks}>
      <legend>Network</legend>
      <div className={styles.choices}>
        {networks.map(one => (
          <label key={one}>
            <input type="radio" name="network" checked={one === network} onChange={() => onChoose(one)} />
            {networkName(one)}
          </label>
        ))}
      </div>
      {account && isMismatch && (
        <div role="alert" className="stack gap-2 start">
          <p className="small danger">
            The connected account is for {account.networks.map(networkName).join(' and ')}. Choose a{' '}
            {networkName(network)} account.
          </p>
          <Button onClick={openWalletDialog}>Choose an account</Button>
        </div>
      )}
      {error && (
        <p role="alert" className="small danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
