import type { LaunchPage, Slipway } from '@slipway/client'
import { fitLaunchPage } from './fit-answers.ts'
import { type LaunchFilter, toLaunchRequests } from './launch-filter.ts'
import { appendRows, type LaunchRows } from './launch-rows.ts'

/** Reads rows of the directory. Where one of its lists ends, the next one follows. */
export async function readRows(
  slipway: { launches: Pick<Slipway['launches'], 'page'> },
  filter: LaunchFilter,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  options: { signal: AbortSignal },
): Promise<LaunchRows> {
  const lists = toLaunchRequests(filter)
  const isOne = lists.length === 1
  const start = isOne ? { list: 0, from: cursor } : parseCursor(cursor, lists.length)
  let rows: LaunchRows | undefined
  for (let { list, from } = start; ; list += 1, from = undefined) {
    const page = fitLaunchPage(
      await slipway.launches.page(
        {
          ...lists[list],
          cursor: from,
          limit: limit - (rows?.launches.length ?? 0),
          figures: true,
        },
        options,
      ),
    )
    rows = toRows(rows, page)
    if (isOne) return rows
    if (page.next !== null) return { ...rows, next: `${list}.${page.next}` }
    if (list === lists.length - 1) return { ...rows, next: null }
    if (rows.launches.length >= limit) return { ...rows, next: `${list + 1}.` }
  }
}

function toRows(rows: LaunchRows | undefined, page: LaunchPage): LaunchRows {
  const added = {
    launches: page.launches,
    next: page.next,
    total: page.total + (rows?.total ?? 0),
    figures: Object.fromEntries((page.figures ?? []).map(figures => [figures.genesisAddress, figures])),
  }
  return rows ? appendRows(rows, added) : added
}

/** `2.abc` continues the third list at `abc`. Cursors of the API have no dot. Anything else is the start. */
function parseCursor(cursor: string | undefined, lists: number) {
  const [, list = '0', from = ''] = /^(\d)\.(.*)$/.exec(cursor ?? '') ?? []
  return Number(list) < lists ? { list: Number(list), from: from || undefined } : { list: 0, from: undefined }
}
