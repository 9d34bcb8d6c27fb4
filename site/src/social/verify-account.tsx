import { SlipwayError } from '@slipway/client'
import { BadgeCheck } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Field } from '../components/fields.tsx'
import { useTypedWork } from '../lib/load-part.ts'
import { useNow } from '../lib/now.ts'
import { useSite } from '../lib/site-context.ts'
import styles from './verify-account.module.css'

/** An account at the social network that the person has proven they own. */
export interface VerifiedAccount {
  username: string
  /** Proves it to `launches.register`, for one launch. */
  token: string
  expiresAt: Date
}

/** The stand-in of the demo's social network accepts it. */
const DEMO_TOKEN = 'demo-token-harbourmaster'

/** Exchanges an access token for a proof of the username. It can be part of a form. */
export function VerifyAccount({
  verified,
  onVerified,
}: {
  /** The account that `onVerified` reported. */
  verified: VerifiedAccount | undefined
  /** Undefined if the person wants another account. */
  onVerified(account: VerifiedAccount | undefined): void
}) {
  const { slipway, settings } = useSite()
  const [token, setToken] = useState('')
  const [fault, setFault] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  useTypedWork(token !== '', { isKept: false })

  async function verify() {
    const accessToken = token.trim()
    if (accessToken === '') return setFault('Paste an access token.')
    setFault(undefined)
    setAsking(true)
    try {
      const { username, token: proof } = await slipway.social.verify({ accessToken })
      setToken('')
      onVerified({ username, token: proof, expiresAt: parseExpiry(proof) })
    } catch (error) {
      setFault(explain(error))
    }
    setAsking(false)
  }

  function verifyOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter') return
    // The form around it is not ready to be sent.
    event.preventDefault()
    void verify()
  }

  if (verified) return <Verified account={verified} onForget={() => onVerified(undefined)} />
  return (
    <div className="stack gap-3">
      <p className="small soft">
        An access token is a string from X’s developer portal that lets a program read your account. The
        service uses it once, to ask X whose it is, and doesn’t store it. One that may only read users is
        enough. You can revoke it afterwards.
      </p>
      <Field
        label="X access token"
        type="password"
        value={token}
        disabled={isAsking}
        onChange={event => {
          setToken(event.target.value)
          setFault(undefined)
        }}
        onKeyDown={verifyOnEnter}
        error={fault}
        suffix={
          settings.hasDemoWallet && token !== DEMO_TOKEN ? (
            <button type="button" onClick={() => setToken(DEMO_TOKEN)}>
              Use the demo token
            </button>
          ) : undefined
        }
      />
      <div>
        <Button disabled={isAsking} onClick={() => void verify()}>
          {isAsking ? 'Asking X…' : 'Verify'}
        </Button>
      </div>
    </div>
  )
}

function Verified({
  account: { username, expiresAt },
  onForget,
}: {
  account: VerifiedAccount
  onForget(): void
}) {
  const isExpired = useNow('second') >= expiresAt.getTime()
  return (
    <p className={styles.result} role="status" data-expired={isExpired ? 'yes' : undefined}>
      <BadgeCheck size={18} strokeWidth={1.5} aria-hidden="true" />
      <span>
        {isExpired ? (
          <>
            The verification of <b>@{username}</b> has expired.
          </>
        ) : (
          <>
            Verified as <b>@{username}</b> until {CLOCK.format(expiresAt)}
          </>
        )}
      </span>
      <button type="button" className="text-button" onClick={onForget}>
        {isExpired ? 'Verify again' : 'Another account'}
      </button>
    </p>
  )
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** The text of the API, and what to do about it. */
function explain(error: unknown): string {
  if (!(error instanceof SlipwayError)) return 'The service could not be reached. Try again.'
  const advice = ADVICE[error.status]
  if (error.status === 0) return 'The service is not answering. Try again in a moment.'
  return advice ? `${error.message}. ${advice}` : `${error.message}.`
}

const ADVICE: Record<number, string> = {
  401: 'X does not accept this token. Check that it was copied whole, and that it is a user’s token, not an app’s.',
  429: 'Wait a minute, then try again.',
  502: 'X accepted the token, but did not say whose it is. It must be allowed to read users.',
  503: 'X or this service is not answering. Try again in a moment.',
}

/** As long as a proof is valid if it does not say. */
const LIFETIME_MS = 10 * 60_000

/** When a verification token expires: the `exp` of a JWT. Only the service can tell whether it is genuine. */
function parseExpiry(token: string, nowMs = Date.now()): Date {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { exp } = JSON.parse(atob(payload)) as { exp?: unknown }
    if (typeof exp === 'number' && Number.isFinite(exp)) return new Date(exp * 1_000)
  } catch {
    // It is opaque to us then.
  }
  return new Date(nowMs + LIFETIME_MS)
}
