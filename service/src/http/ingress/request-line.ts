import { decodePath } from '@slipway/schema/path-table'
import { pathOf } from '../../endpoint/parse-url.ts'
import type { Budget } from './rate-limit.ts'

/** The budget that a request counts against. */
export function budgetOf(method: string, url: string): Budget {
  if (method === 'OPTIONS') return 'preflights'
  if (method !== 'GET' && method !== 'HEAD') return READ_BY_POST.test(url) ? 'reads' : 'writes'
  if (isMonitoring(url)) return 'checks'
  return CHAIN_READ.test(url) ? 'chainReads' : 'reads'
}

export const isMonitoring = (url: string): boolean => MONITORING.has(url)

/** The endpoints that read the chain for every request, and the pages that call one of them. */
const CHAIN_READ =
  /^\/(?:v1\/(?:launches\/[^/?#]+\/(?:quote|holders|positions\/[^/?#]+)|agents\/[^/?#]+\/(?:wallet|delegates)|wallets\/[^/?#]+)|(?:wallets|rewards)\/[^/?#]+)(?:[?#]|$)/

/** A call of a tool that costs more also counts against the budget of its endpoint. */
const READ_BY_POST = /^\/(?:mcp|ard\/search|ard\/explore)(?:[?#]|$)/

const MONITORING = new Set(['/healthz', '/readyz', '/readyz?for=reads', '/metrics'])

/**
 * A proxy may request `http://host/path`; only the path counts. Two slashes at the start of a path come from a base
 * URL that ends in a slash, and count as one. Everything after this sees the path decoded: routes, caches, limits,
 * metrics and the log.
 */
export function normalizeUrl(url: string): string {
  const sent = toOriginForm(url)
  const normal = sent.startsWith('//') && sent[2] !== '/' ? sent.slice(1) : sent
  if (!normal.includes('%')) return normal
  const path = pathOf(normal)
  return decodePath(path) + normal.slice(path.length)
}

function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url
  const path = /^https?:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1]
  if (path === undefined) return url
  return path.startsWith('/') ? path : `/${path}`
}
