import { answerCalls, usage } from './lib.ts'

/** What a child can be asked for. Each loads only what it uses, because loading is a part of what is measured. */
const TASKS = {
  serveCopy: async (input: never) => (await import('./serve-copy.ts')).serveCopy(input),
  serveSlipway: async (input: never) => (await import('./answers.ts')).serveSlipway(input),
  serveRpcStub: async (input: never) => (await import('./withdrawals.ts')).serveRpcStub(input),
  serveWithdrawals: async (input: never) => (await import('./withdrawals.ts')).serveWithdrawals(input),
  serveUmiWithdrawals: async (input: never) => (await import('./withdrawals.ts')).serveUmiWithdrawals(input),
  serveSite: async (input: never) => (await import('./directory.ts')).serveSite(input),
  generateLoad: async (input: never) => (await import('./lib.ts')).generateLoad(input),
  measureBuildCost: async (input: never) => (await import('./build.ts')).measureBuildCost(input),
  measureStart: async (input: never) => (await import('./start.ts')).measureStart(input),
  usage,
}

const BENCHES: Record<string, (args: string[]) => Promise<void>> = {
  listings: async args => (await import('./answers.ts')).benchListings(args),
  agents: async () => (await import('./answers.ts')).benchAgents(),
  build: async args => (await import('./build.ts')).benchBuild(args),
  withdrawals: async () => (await import('./withdrawals.ts')).benchWithdrawals(),
  start: async args => (await import('./start.ts')).benchStart(args),
  pages: async args => (await import('./pages.ts')).benchPages(args),
  directory: async args => (await import('./directory.ts')).benchDirectory(args),
  workers: async args => (await import('./workers.ts')).benchWorkers(args),
}

const [name, ...args] = process.argv.slice(2)
if (name === 'child') answerCalls(TASKS)
else if (name !== undefined && BENCHES[name]) await BENCHES[name](args)
else for (const bench of Object.values(BENCHES)) await bench([])
