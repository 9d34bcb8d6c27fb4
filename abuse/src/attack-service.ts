import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Attack } from './attack.ts'
import { connections } from './attacks/connections.ts'
import { drain } from './attacks/drain.ts'
import { metricsFlood, readinessFlood, refusals } from './attacks/floods.ts'
import { fuzz } from './attacks/fuzz.ts'
import { killedPageThread } from './attacks/killed-page-thread.ts'
import { malformed } from './attacks/malformed.ts'
import { namedDocuments } from './attacks/named-documents.ts'
import { frozenDatabase, hangingRpc } from './attacks/outages.ts'
import { overload } from './attacks/overload.ts'
import { pageQueries, slowPages } from './attacks/pages.ts'
import { pipelinedChecks } from './attacks/pipelined-checks.ts'
import { pipelining } from './attacks/pipelining.ts'
import { storage } from './attacks/storage.ts'
import { measureContention } from './contention.ts'
import { type Figure, isWithinLimit } from './figure.ts'
import { createRandom } from './random.ts'
import { soak } from './soak.ts'
import { startTarget, type Target } from './target.ts'
import { UNLIMITED } from './unlimited.ts'

/** In the order of their environments: each new one restarts the service. */
const ATTACKS: Attack[] = [
  fuzz,
  storage,
  namedDocuments,
  overload,
  drain,
  malformed,
  pipelining,
  pipelinedChecks,
  connections,
  refusals,
  metricsFlood,
  readinessFlood,
  pageQueries,
  slowPages,
  killedPageThread,
  hangingRpc,
  frozenDatabase,
]

const USAGE = `npm run abuse [-- options] [attack …]

Starts a service of its own, attacks it and prints what was measured. Fails if a limit is exceeded. Linux only.

  --short           less of everything, and times are hardly limited
  --seed <number>   repeats the random choices of an earlier run
  --world <dir>     a copy of this demo, instead of a new one
  --checkout <dir>  attacks the service of another checkout, to compare two versions
  --soak <seconds>  no attacks: mixed traffic with the market running, and kills in between

Attacks: ${ATTACKS.map(({ name }) => name).join(', ')}
`

/** Shorter than the 20 to 30 seconds after which a client gives up. */
const SHORT_MS_MAX = 15_000
const root = fileURLToPath(new URL('../../..', import.meta.url))

export async function attackService(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      checkout: { type: 'string', default: root },
      world: { type: 'string' },
      soak: { type: 'string' },
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
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
  console.log(`seed ${seed}`)
  const { checkout, world } = values
  const target = await startTarget({ checkout, world, activity: values.soak !== undefined })
  try {
    const figures =
      values.soak === undefined
        ? await runAttacks(target, { names: positionals, isShort: values.short, seed })
        : await soak(target, { seconds: Number(values.soak), random: createRandom(seed) }).then(printFigures)
    const exceeded = figures.filter(figure => !isWithinLimit(figure))
    console.log(
      exceeded.length === 0 ? '\nevery figure is within its limit' : `\n${exceeded.length} over the limit`,
    )
    if (exceeded.length > 0) process.exitCode = 1
  } finally {
    await target.close()
  }
}

async function runAttacks(
  target: Target,
  { names, isShort, seed }: { names: string[]; isShort: boolean; seed: number },
): Promise<Figure[]> {
  const figures: Figure[] = []
  let environment = JSON.stringify(UNLIMITED)
  for (const attack of ATTACKS) {
    if (names.length > 0 && !names.includes(attack.name)) continue
    const wanted = JSON.stringify(attack.environment ?? {})
    if (wanted !== environment) await target.restart(attack.environment)
    environment = wanted
    console.log(`\n${attack.name}`)
    try {
      // In the short form, only many times the usual contention would stretch a limit.
      const before = isShort ? 1 : measureContention()
      const measured = await attack.run(target, { random: createRandom(seed), isShort })
      const contention = Math.max(before, measureContention())
      if (contention > 1.5) console.log(`  other programs make work take ${format(contention)} times as long`)
      figures.push(...printFigures(measured.map(figure => limitOf(figure, { contention, isShort }))))
    } catch (error) {
      figures.push(
        ...printFigures([
          { what: 'the attack ended early', value: 1, unit: 'answers', atMost: 0, detail: String(error) },
        ]),
      )
    }
  }
  return figures
}

/**
 * Other programs on the machine are not the service's fault, so they stretch the limits of times. The short form only
 * finds waits without an end: it runs beside other tests, for too short a time to measure more.
 */
function limitOf(figure: Figure, { contention, isShort }: { contention: number; isShort: boolean }): Figure {
  const { atMost, ...unlimited } = figure
  if (atMost === undefined) return figure
  if (figure.unit === 'times') return isShort ? unlimited : figure
  if (figure.unit !== 'ms') return figure
  return { ...figure, atMost: Math.max(isShort ? SHORT_MS_MAX : 0, Math.round(atMost * contention)) }
}

function printFigures(figures: Figure[]): Figure[] {
  for (const figure of figures) {
    const { what, value, unit, atMost, detail } = figure
    const limit = atMost === undefined ? '' : `  (at most ${atMost})`
    const mark = isWithinLimit(figure) ? ' ' : '✖'
    console.log(
      `${mark} ${format(value).padStart(9)} ${unit.padEnd(11)} ${what}${limit}${detail ? `: ${detail}` : ''}`,
    )
  }
  return figures
}

const format = (value: number) =>
  (value < 10 ? Number(value.toFixed(2)) : Math.round(value)).toLocaleString('en')
