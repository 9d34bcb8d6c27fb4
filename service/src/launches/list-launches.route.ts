import { describedAddress } from '@slipway/schema/address'
import { type ErrorCode, ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { EXAMPLE_LAUNCH } from '@slipway/schema/example-launch'
import { LaunchData, LaunchPageInfo, LaunchStatus, Mechanic } from '@slipway/schema/launch'
import { NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint, type PreparedAnswer, type Snapshot } from '../endpoint/endpoint.ts'
import { wholeNumber } from '../endpoint/whole-number.ts'
import { LAUNCH_ORDERS } from '../store/list-launches.ts'
import { createAnswerCache } from './answer-cache.ts'
import type { LaunchList } from './launch-list.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'

export const LISTING_CACHE_CONTROL = 'public, max-age=5, stale-while-revalidate=60'

const LIMIT_MAX = 200
const LIMIT_DEFAULT = 50
const QUERY_LENGTH_MAX = 200
const CURSOR_LENGTH_MAX = 1_024

/** Checked where the response is a page: elsewhere, it is ignored like an unknown parameter, whatever its value. */
const pageFlag = (description: string) =>
  z
    .unknown()
    .optional()
    .meta({ type: 'string', enum: ['true', 'false'], description })

const ListLaunchesQuery = z.object({
  network: NetworkInput,
  status: LaunchStatus.optional().meta({ description: 'Only launches with this status; all by default.' }),
  spotlight: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: only spotlight launches; `false`: only the others; all by default.' }),
  query: z
    .string()
    .refine(text => [...text].length <= QUERY_LENGTH_MAX)
    .optional()
    .meta({
      type: 'string',
      maxLength: QUERY_LENGTH_MAX,
      description:
        'Searches names, symbols, addresses and mints, best match first. Case, accents and punctuation do not matter in names and symbols, and similar words match too. The beginning of an address is enough, at least four characters. A search finds at most 5,000 launches. Returns a page.',
    }),
  sort: z.enum(LAUNCH_ORDERS).optional().meta({
    description:
      '`activity` (the default): the latest activity first. `newest`: the last registered first. `raised`: the largest amount first; native currency comes before all other tokens, whose amounts can’t be compared. `progress`: the nearest to the goal, the cap or selling out first. `ending`: the next to end first, then those that have ended, the last first. Unknown figures come last, and equal launches are ordered by `genesisAddress`. In a search, this applies among equally good matches. Returns a page.',
  }),
  closed: pageFlag(
    '`true`: only closed launches, which are `live` although their end has passed; `false`: all others. Ignored where the response is not a page.',
  ),
  mechanic: Mechanic.optional().meta({
    description: 'Only launches with this mechanic; all by default. Returns a page.',
  }),
  creator: describedAddress(
    'Only launches that pay their creator fees to this wallet, at most 10,000 of them. Returns a page.',
    EXAMPLE_ADDRESSES.creator,
  ).optional(),
  limit: wholeNumber(LIMIT_MAX).meta({
    type: 'integer',
    minimum: 1,
    maximum: LIMIT_MAX,
    default: LIMIT_DEFAULT,
    description: 'Launches per page. Returns a page.',
  }),
  cursor: z.string().max(CURSOR_LENGTH_MAX).optional().meta({
    description:
      'Continues after the page whose `next` this is. All other parameters except `limit` must be the same. Returns a page.',
  }),
  counts: z.enum(['true', 'false']).optional().catch(undefined).meta({
    description:
      '`true`: a page also says how many launches of each status there are, and how many of the live ones are closed. Ignored in a search, with `creator`, and where the response is not a page.',
  }),
  figures: pageFlag(
    '`true`: a page also has the newest figures of its launches, such as what each has raised. Ignored where the response is not a page.',
  ),
})
type ListLaunchesQuery = z.infer<typeof ListLaunchesQuery>

export function listLaunchesEndpoint({
  snapshots,
  launchList,
}: {
  snapshots: LaunchSnapshots
  launchList: LaunchList
}): Endpoint {
  const pages = createAnswerCache()
  const toFilter = ({ status, spotlight }: ListLaunchesQuery) => ({ status, spotlight: toBoolean(spotlight) })
  const toAnswer = (snapshot: Snapshot): PreparedAnswer => ({
    kind: 'prepared',
    snapshot,
    cacheControl: LISTING_CACHE_CONTROL,
  })
  return defineEndpoint({
    method: 'GET',
    path: '/v1/launches',
    id: 'listLaunches',
    clientCall: 'launches.list',
    tool: {
      name: 'list_launches',
      description:
        'Launches in pages, the latest activity first. Filters combine. `spotlight` finds the launches that the operator has picked.',
      withoutInput: ['counts', 'figures'],
      page: { size: 'limit', from: 'cursor', next: ({ page }) => (page as LaunchPageInfo).next },
      withoutFields: ['heroUrl', 'launchPage'],
    },
    tag: 'Launches',
    summary: 'List and search launches',
    description:
      'Every matching launch in one response, newest activity first; launches with equal times are ordered by `genesisAddress`. Filters combine. `spotlight=true` lists the launches that the operator has picked.\n\nWith any of `query`, `sort`, `mechanic`, `creator`, `limit` and `cursor`, the response is one page, and `page.next` is the cursor of the next one. A page of more than 50 launches ends earlier if they have long documents. Pages neither skip nor repeat a launch that keeps its place in the order while others move.',
    query: ListLaunchesQuery,
    faults: {
      network: 'INVALID_NETWORK',
      status: 'INVALID_STATUS',
      spotlight: 'INVALID_SPOTLIGHT',
      query: 'INVALID_QUERY',
      sort: 'INVALID_SORT',
      mechanic: 'INVALID_MECHANIC',
      creator: 'INVALID_CREATOR',
      limit: 'INVALID_LIMIT',
      cursor: 'INVALID_CURSOR',
      closed: 'INVALID_CLOSED',
      figures: 'INVALID_FIGURES',
    },
    success: {
      description: 'All matching launches, or one page of them.',
      schema: z.object({
        data: z.array(LaunchData).meta({ description: 'The launches.' }),
        page: LaunchPageInfo.optional().meta({
          description: 'Only in the response to a request for a page.',
        }),
      }),
      example: { data: [EXAMPLE_LAUNCH] },
      conditional: true,
    },
    errors: [],
    uses: [
      { title: 'All launches', query: '', description: 'Every launch of `chain-mainnet`.' },
      {
        title: 'Get spotlight',
        query: '?spotlight=true',
        description: 'The launches that the operator has picked.',
      },
      {
        title: 'Live spotlight on devnet',
        query: '?spotlight=true&status=live&network=chain-devnet',
        description: 'Filters combine.',
      },
      {
        title: 'Search',
        query: '?query=pachbot',
        description: 'Finds “Patchbot” although it is misspelt.',
      },
      {
        title: 'A page of live launches',
        query: '?status=live&sort=ending&limit=20',
        description: 'The 20 live launches that end next.',
      },
    ],
    /** One look-up: nothing is queried, sorted or serialised for a request. Pages come from the store. */
    prepared({ query }) {
      if (isPaged(query)) return undefined
      const snapshot = snapshots.of(query.network).listing(toFilter(query))
      return snapshot && toAnswer(snapshot)
    },
    async answer({ query }) {
      if (!isPaged(query)) return toAnswer(await snapshots.of(query.network).prepare(toFilter(query)))
      const { network, mechanic, creator, limit = LIMIT_DEFAULT, cursor, sort = 'activity' } = query
      const wanted = {
        network,
        filter: { ...toFilter(query), mechanic, closed: parseFlag(query.closed, 'INVALID_CLOSED') },
        order: sort,
        limit,
        cursor,
        // Only spaces: the list without a search.
        text: query.query?.trim() || undefined,
        creator,
        counts: query.counts === 'true',
        figures: parseFlag(query.figures, 'INVALID_FIGURES'),
      }
      const isOfAll = cursor === undefined && creator === undefined && wanted.text === undefined
      const key = isOfAll ? JSON.stringify([launchList.version(), wanted]) : undefined
      return toAnswer(await pages(key, () => launchList.find(wanted)))
    },
  })
}

const isPaged = ({ query, sort, mechanic, creator, limit, cursor }: ListLaunchesQuery) =>
  query !== undefined ||
  sort !== undefined ||
  mechanic !== undefined ||
  creator !== undefined ||
  limit !== undefined ||
  cursor !== undefined

const toBoolean = (flag: 'true' | 'false' | undefined) => (flag === undefined ? undefined : flag === 'true')

function parseFlag(value: unknown, fault: ErrorCode): boolean | undefined {
  if (value !== undefined && value !== 'true' && value !== 'false') throw new ServiceError(fault)
  return toBoolean(value)
}
