import type { SlipwayError } from '@slipway/client'
import { explainDetail } from '../../lib/explain-detail.ts'
import type { Faults } from './check-draft.ts'
import type { FieldName, Mechanic } from './draft.ts'

/** Where each path of a request is on the form. The first match counts. */
const PLACES: [path: RegExp, field: FieldName | Record<Mechanic, FieldName>][] = [
  [/^launch\.externalLinks\.website$/, 'website'],
  [/^launch\.externalLinks\.social$/, 'social'],
  [/^launch\.externalLinks\.telegram$/, 'telegram'],
  [/^launch\.externalLinks\.discord$/, 'discord'],
  [/^launch\.name$/, 'name'],
  [/^launch\.symbol$/, 'symbol'],
  [/^launch\.image$/, 'image'],
  [/^launch\.description$/, 'description'],
  [/^launch\.network$/, 'network'],
  [/^agent\.setToken$/, 'agentToken'],
  [/^agent(?:\.mint)?$/, 'agent'],
  [/^launch\.supply$/, 'supply'],
  [/\.(?:deposit|swap)StartCondition/, 'startsAt'],
  [/\.(?:depositEnd|swapEnd|claimEnd)Condition/, 'endsAt'],
  [/\.minimumQuoteTokenThreshold$/, 'goal'],
  [/\.virtual(?:Quote|Base)Tokens$/, 'raise'],
  [/\.firstBuy\b/, 'firstBuy'],
  [/\.fundFlows\b/, { launchpool: 'liquidityShare', bondingCurve: 'raise' }],
  [/^launch\.allocations\.\d+\.supply$/, { launchpool: 'poolShare', bondingCurve: 'supply' }],
]
/** A curve has no field for its end. */
const FIELDS_OF_POOLS = new Set<FieldName>(['goal', 'poolShare', 'liquidityShare', 'endsAt'])

/** Places the API's faults at the fields that they are about. The rest keep the API's own names. */
export function placeDetails(
  { details = [], message }: SlipwayError,
  mechanic: Mechanic,
): { faults: Faults; others: string[] } {
  const faults: Faults = {}
  const others: string[] = []
  for (const detail of details) {
    const place = PLACES.find(([path]) => path.test(detail.path))?.[1]
    const field = typeof place === 'object' ? place[mechanic] : place
    if (field === undefined || (mechanic === 'bondingCurve' && FIELDS_OF_POOLS.has(field)))
      others.push(detail.path ? `${detail.path}: ${detail.message}` : detail.message)
    else faults[field] ??= explainDetail(detail.message)
  }
  if (details.length === 0) others.push(message)
  return { faults, others }
}
