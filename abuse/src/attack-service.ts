import { parseArgs } from 'node:util'
import { documents, metricsFlood, pipelining, readinessFlood, refusals } from './attacks/floods.ts'
import { crowdedWallet, pageQueries, slowPages, swapBurst } from './attacks/pages.ts'
import { launchSpam, manyLaunches } from './attacks/trades.ts'
import type { Attack, Figure } from './target.ts'
import { startTarget } from './target.ts'

const ATTACKS: Attack[] = [
  documents,
  pipelining,
  refusals,
  metricsFlood,
  readinessFlood,
  pageQueries,
  crowdedWallet,
  launchSpam,
  manyLaunches,
  swapBurst,
  slowPages,
]

const USAGE = `npm run abuse [-- options] [attack …]

Starts a service of its own, attacks it and prints what was measured. Fails if a limit is exceeded. Linux only.

  --short        less of everything, and times are hardly limited
  --world <dir>  a copy of this demo, instead of a new one

Attacks: ${ATTACKS.map(({ name }) => name).join(', ')}
`

/**
 * Shorter than the 20 to 30 seconds after which a client gives up. The short form only finds waits without an end: it
 * runs beside other tests, for too short a time to measure more.
 */
const SHORT_LIMITS: Partial<Record<Figure['unit'], number>> = { ms: 15_000, times: Number.POSITIVE_INFINITY }

export async function attackService(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      world: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.filter(name => !ATTACKS.some(attack => attack.name === name))
  if (values.help || unknown.length > 0) {
    if (unknown.length > 0) console.error(`Unknown attack: ${unknown.join(', ')}\n`)
    console.log(USAGE)
    process.exitCode = values.help ? 0 : 1
    return
  }
  const target = await startTarget(values.world)
  let exceeded = 0
  try {
    for (const attack of ATTACKS) {
      if (positionals.length > 0 && !positionals.includes(attack.name)) continue
      console.log(`\n${attack.name}`)
      const figures = await attack
        .run(target, values.short)
        .catch((error: unknown): Figure[] => [
          { what: 'the attack ended early', value: 1, unit: 'answers', atMost: 0, detail: String(error) },
        ])
      for (const figure of figures) if (!report(figure, values.short)) exceeded += 1
    }
  } finally {
    await target.close()
  }
  console.log(exceeded === 0 ? '\nevery figure is within its limit' : `\n${exceeded} over the limit`)
  if (exceeded > 0) process.exitCode = 1
}

/** Prints a figure. Returns whether it is within its limit. */
function report({ what, value, unit, atMost, detail }: Figure, isShort: boolean): boolean {
  const limit = atMost !== undefined && isShort ? (SHORT_LIMITS[unit] ?? atMost) : atMost
  const isWithin = limit === undefined || value <= limit
  const shown = (value < 10 ? Number(value.toFixed(2)) : Math.round(value)).toLocaleString('en')
  console.log(
    `${isWithin ? ' ' : '✖'} ${shown.padStart(9)} ${unit.padEnd(8)} ${what}${limit === undefined ? '' : `  (at most ${limit})`}${detail ? `: ${detail}` : ''}`,
  )
  return isWithin
}
