import type { Slipway } from '@slipway/client'
import { createContext, useContext } from 'react'
import type { SiteSettings } from '../server/protocol.ts'

interface Site {
  settings: SiteSettings
  /** The clock of the first render, on both sides. */
  serverNowMs: number
  slipway: Slipway
  /** Prefix of every path; empty unless the service is published below a path. */
  basePath: string
}

export const SiteContext = createContext<Site | undefined>(undefined)

export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('outside of the site')
  return site
}
