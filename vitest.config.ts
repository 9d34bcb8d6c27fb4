import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const isEndurance = process.env.ENDURANCE === '1'
const ENDURANCE_FACTOR = 50

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
const LONG = [
  'embedded-postgres/src/full-disk.test.ts',
  'service/src/build.test.ts',
  'service/src/commands/running-demo.test.ts',
  'site/tests/served-site.test.ts',
  'service/src/creator-rewards/example.test.ts',
  'service/src/http/reference/generated-client.test.ts',
  'service/src/http/reference/openapi-lint.test.ts',
  'service/src/launches/activity/simulated-day.test.ts',
  'service/src/indexer/trades/simulated-day.test.ts',
  'service/src/commands/node-versions.test.ts',
  'service/src/commands/replaced-chain.test.ts',
  'service/src/telemetry/dashboard.test.ts',
  'embedded-postgres/src/sharing.test.ts',
  'abuse/src/abuse.test.ts',
]

/**
 * Without times of an earlier run, large files come first. A long one among the last would leave a worker without
 * work.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLong = (file: TestSpecification) => LONG.some(name => file.moduleId.endsWith(name))
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
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
    setupFiles: ['service/src/testing/console.ts'],
    // Vitest counts a line that arrives while a worker ends as an error.
    disableConsoleIntercept: true,
    sequence: { sequencer: LongFilesFirst },
    // Two cores are busy with four: tests wait for databases, browsers and pauses for half of their time.
    maxWorkers: 4,
    // Tests allocate much that is soon garbage. With the default of 16 MB, collecting it takes a tenth of the time.
    execArgv: ['--max-semi-space-size=64'],
  },
})
