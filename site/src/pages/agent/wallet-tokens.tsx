import type { Network, WalletToken } from '@slipway/client'
import { Amount } from '../../components/figures.tsx'
import { Address } from '../../components/text.tsx'
import styles from './agent.module.css'

export const WalletTokens = ({ tokens, network }: { tokens: readonly WalletToken[]; network: Network }) => (
  <ul className={styles.holdings} aria-label="Tokens in this wallet">
    {tokens.map(token => (
      <li key={token.mint}>
        <Holding token={token} network={network} />
      </li>
    ))}
  </ul>
)

function Holding({ token, network }: { token: WalletToken; network: Network }) {
  const { mint, amount, decimals, name, symbol, known, restriction } = token
  const label = name || symbol
  return (
    <>
      <span className={styles.holding}>
        {known || label === '' ? (
          <bdi>{label || 'Unnamed token'}</bdi>
        ) : (
          <span className={styles.claimed}>
            “<bdi>{label}</bdi>”
          </span>
        )}
        {/* A symbol of a stranger's choice next to a number reads like a price. */}
        <Amount units={amount} decimals={decimals} {...(known && symbol && { symbol })} />
      </span>
      {(!known || restriction) && (
        <span className={styles.doubt}>
          {!known && (
            <>
              {label ? 'Not a known token, whatever its name says: ' : 'Not a known token: '}
              <Address address={mint} network={network} label="the token’s mint" />
            </>
          )}
          {restriction && <span>{RESTRICTIONS[restriction]}</span>}
        </span>
      )}
    </>
  )
}

const RESTRICTIONS: Record<NonNullable<WalletToken['restriction']>, string> = {
  frozen: 'The issuer has frozen these tokens.',
  'non-transferable': 'This token can’t be transferred.',
  paused: 'Transfers of this token are paused.',
  hook: 'Transfers of this token call another program, so they can’t be made here.',
  fee: 'This token takes a fee from each transfer.',
}
