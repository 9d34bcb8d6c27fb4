import type { Network } from '@slipway/client'
import { useEffect, useState } from 'react'

export type Mechanic = 'bondingCurve' | 'launchpool'

/** What has been entered, as it was typed. Empty means: as the hint says. */
export interface Draft {
  name: string
  symbol: string
  description: string
  image: string
  website: string
  social: string
  telegram: string
  discord: string
  network: Network
  mechanic: Mechanic
  /** Whole tokens. */
  supply: string
  /** What buys a whole curve, in SOL. */
  raise: string
  /** In SOL. */
  firstBuy: string
  /** What a pool must raise, in SOL. */
  goal: string
  /** Percent of the supply that depositors share. */
  poolShare: string
  /** Percent of the deposits that become liquidity. */
  liquidityShare: string
  lock: 'forever' | 'year'
  /** As `<input type="datetime-local">` writes it, in the reader's zone. */
  startsAt: string
  endsAt: string
}

export type FieldName = keyof Draft

export const createDraft = (network: Network): Draft => ({
  name: '',
  symbol: '',
  description: '',
  image: '',
  website: '',
  social: '',
  telegram: '',
  discord: '',
  network,
  mechanic: 'bondingCurve',
  supply: '1,000,000,000',
  raise: '85',
  firstBuy: '',
  goal: '50',
  poolShare: '60',
  liquidityShare: '50',
  lock: 'forever',
  startsAt: '',
  endsAt: '',
})

const STORED = 'launch-draft'

/** The draft, which survives a reload. */
export function useDraft(networks: readonly string[]) {
  const [draft, setDraft] = useState(() => readDraft(networks))
  useEffect(() => {
    try {
      localStorage.setItem(STORED, JSON.stringify(draft))
    } catch {
      // Storage may be blocked; the draft then lasts until the page is left.
    }
  }, [draft])
  return {
    draft,
    change: (change: Partial<Draft>) => setDraft(before => ({ ...before, ...change })),
    clear: () => setDraft(createDraft(networks[0] as Network)),
  }
}

/** An older version of this page may have stored something else: only texts of fields that exist are taken over. */
function readDraft(networks: readonly string[]): Draft {
  const draft = createDraft(networks[0] as Network)
  try {
    const stored = JSON.parse(localStorage.getItem(STORED) ?? '{}') as Record<string, unknown>
    for (const name of Object.keys(draft) as FieldName[])
      if (typeof stored[name] === 'string') Object.assign(draft, { [name]: stored[name] })
  } catch {
    // Nothing is stored.
  }
  if (!networks.includes(draft.network)) draft.network = networks[0] as Network
  if (draft.mechanic !== 'launchpool') draft.mechanic = 'bondingCurve'
  if (draft.lock !== 'year') draft.lock = 'forever'
  return draft
}
