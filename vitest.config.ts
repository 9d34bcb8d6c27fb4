import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{schema,service,embedded-postgres,bench}/src/**/*.test.ts', 'local-chain/test/**/*.test.ts'],
    globalSetup: ['service/src/testing/shared-postgres.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Real databases and processes: on few cores more workers only wait for each other.
    maxWorkers: 2,
  },
})
