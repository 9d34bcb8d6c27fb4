import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isEndurance = process.env.ENDURANCE === '1'
const ENDURANCE_FACTOR = 50
/** `npm run test:all` runs them. `npm test` leaves them out, because each takes many seconds. */
const LONG_TESTS = '**/*.long.test.ts'
const runsLongTests = isEndurance || process.env.LONG_TESTS === '1'

/** In an endurance run, properties are tried more often. Other tests ask `isEndurance` themselves. */
const manyRuns = {
  name: 'many-runs',
  transform: (code: string, id: string) =>
    id.endsWith('.test.ts')
      ? code.replace(/\bnumRuns: ([\d_]+)/g, (_, runs: string) => {
          return `numRuns: ${Number(runs.replaceAll('_', '')) * ENDURANCE_FACTOR}`
        })
      : undefined,
}

/** Small files that take long. */
const SLOW = [
  '.long.test.ts',
  'service/src/build.test.ts',
  'service/src/http/reference/openapi-lint.test.ts',
  'embedded-postgres/src/sharing.test.ts',
]

/**
 * Without times of an earlier run, large files come first. A long one among the last would leave a worker without
 * work.
 */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isSlow = (file: TestSpecification) => SLOW.some(name => file.moduleId.endsWith(name))
    return [...sorted.filter(isSlow), ...sorted.filter(file => !isSlow(file))]
  }
}

export default defineConfig({
  plugins: isEndurance ? [manyRuns] : [],
  // The client's TypeScript instead of its build.
  ssr: { resolve: { conditions: ['slipway-source', 'module', 'node', 'development|production'] } },
  test: {
    include: [
      '{schema,launch-model,client,site,service,embedded-postgres,local-chain,bench,abuse}/src/**/*.test.ts',
      'site/tests/*.test.ts',
    ],
    exclude: runsLongTests ? configDefaults.exclude : [...configDefaults.exclude, LONG_TESTS],
    globalSetup: [
      'service/src/testing/memory-folder.ts',
      'service/src/testing/shared-postgres.ts',
      'service/src/testing/demo-worlds.ts',
      'local-chain/src/testing/report-skipped.ts',
      'client/src/testing/build-client.ts',
    ],
    tags: [
      {
        name: 'timing',
        description: 'depends on time: a busy machine may spoil it, so CI runs it once more',
        // A failed property is a finding, whenever it occurs: fast-check's message starts with these words.
        retry: { count: process.env.CI ? 1 : 0, condition: /^(?!Property failed)/ },
      },
      {
        name: 'real-programs',
        description: 'needs the binaries of on-chain programs in local-chain/.programs',
      },
    ],
    // A busy machine needs more than the default of one second. After five, a node would look for changes by itself.
    expect: { poll: { timeout: 4_000 } },
    // Only for a test that would never end: a busy machine may need minutes for what usually takes seconds.
    testTimeout: isEndurance ? 30 * 60_000 : 5 * 60_000,
    hookTimeout: 5 * 60_000,
    // A fresh module graph for each file would take half of the time. Files therefore mock no modules.
    isolate: false,
    restoreMocks: true,
    // Kept between runs. `npx vitest --clearCache` empties it.
    experimental: { fsModuleCache: true },
    setupFiles: ['service/src/testing/console.ts'],
    // Vitest counts a line that arrives while a worker ends as an error.
    disableConsoleIntercept: true,
    sequence: { sequencer: SlowFilesFirst },
    // Two cores are busy with three, because tests wait for databases, browsers and pauses. Each loads everything itself.
    maxWorkers: 3,
    // Tests allocate much that is soon garbage. With the default of 16 MB, collecting it takes a tenth of the time.
    execArgv: ['--max-semi-space-size=64'],
  },
})
