import { type FormEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { isAddress } from '../../lib/is-address.ts'
import { useSite } from '../../lib/site-context.ts'
import { rewardsHref } from './rewards-href.ts'
import styles from './wallet-field.module.css'

const LENGTH_MAX = 64

/** Asks for a wallet. Without script, the form brings `/rewards` back with the answer. */
export function WalletField({
  first,
  network,
  isLarge = false,
  onType = () => {},
}: {
  /** What is in it at first. */
  first: string
  network: string
  isLarge?: boolean
  onType?(text: string): void
}) {
  const { settings, basePath } = useSite()
  const [, navigate] = useLocation()
  const [text, setText] = useState(first)
  const [isRefused, setRefused] = useState(first !== '' && !isAddress(first))
  const id = useId()

  function submit(event: FormEvent) {
    event.preventDefault()
    const wallet = text.trim()
    if (isAddress(wallet)) navigate(rewardsHref(wallet, network, settings.networks))
    else setRefused(true)
  }
  return (
    <form action={`${basePath}/rewards`} onSubmit={submit} className={isLarge ? styles.large : styles.form}>
      <label htmlFor={id} className="unseen">
        Wallet address
      </label>
      <div className={styles.line}>
        <input
          id={id}
          name="q"
          value={text}
          maxLength={LENGTH_MAX}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck="false"
          placeholder={isLarge ? 'Wallet address' : 'Another wallet’s address'}
          required
          aria-invalid={isRefused}
          aria-describedby={isRefused ? `${id}-problem` : undefined}
          onChange={event => {
            setText(event.target.value)
            setRefused(false)
            onType(event.target.value)
          }}
        />
        {network !== settings.networks[0] && <input type="hidden" name="network" value={network} />}
        <Button type="submit" kind="quiet">
          Show rewards
        </Button>
      </div>
      {isRefused && (
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          This is not a wallet’s address. One has 32 to 44 letters and digits, without 0, O, I and l.
        </p>
      )}
    </form>
  )
}
