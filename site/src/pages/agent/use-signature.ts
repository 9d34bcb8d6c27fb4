import type { AgentCard } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createPart } from '../../lib/load-part.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { parseList } from '../../lib/parse-json.ts'
import { cardKeysQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import type { SignatureState } from './signature-state.ts'

const checking = createPart(() => import('./check-signature.ts'))

/** The keys' path at the URL that this service publishes. */
const KEYS_PATH = '/.well-known/jwks.json'

/** Checks a card's signature in the browser. The code for that is loaded only for a signed card. */
export function useSignature(card: AgentCard | null): SignatureState {
  const { slipway, settings } = useSite()
  const isSigned = parseList(card?.signatures).length > 0
  const keys = useQuery({ ...cardKeysQuery(slipway), enabled: useIsHydrated() && isSigned })
  const [checked, setChecked] = useState<{ card: AgentCard; state: SignatureState }>()

  useEffect(() => {
    if (!card || !isSigned || !keys.data) return undefined
    let isGone = false
    checking
      .load()
      .then(({ checkSignature }) => checkSignature(card, keys.data, settings.publicUrl + KEYS_PATH))
      .catch((): SignatureState => 'unavailable')
      .then(state => {
        if (!isGone) setChecked({ card, state })
      })
    return () => {
      isGone = true
    }
  }, [card, isSigned, keys.data, settings.publicUrl])

  if (!isSigned) return 'none'
  if (keys.isError && !keys.data) return 'unavailable'
  return checked && checked.card === card ? checked.state : 'pending'
}
