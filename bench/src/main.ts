import { answerCalls, usage } from './lib/child.ts'

/** What a child can be asked for. Each loads only what it uses, because loading is a part of what is measured. */
const TASKS = {
  serveCopy: async (input: never) => (await import('./http/serve-copy.ts')).serveCopy(input),
  serveSlipway: async (input: never) => (await import('./http/serve-slipway.ts')).serveSlipway(input),
  serveRpcStub: async (input: never) =>
    (await import('./transactions/serve-withdrawals.ts')).serveRpcStub(input),
  serveWithdrawals: async (input: never) =>
    (await import('./transactions/serve-withdrawals.ts')).serveWithdrawals(input),
  serveUmiWithdrawals: async (input: never) =>
    (await import('./transactions/serve-withdrawals.ts')).serveUmiWithdrawals(input),
  serveSite: async (input: never) => (await import('./site/serve-site.ts')).serveSite(input),
  generateLoad: async (input: never) => (await import('./lib/load.ts')).generateLoad(input),
  measureBuildCost: async (input: never) =>
    (await import('./transactions/build-cost.ts')).measureBuildCost(input),
  measureStart: async (input: never) => (await import('./listings/measure-start.ts')).measureStart(input),
  usage,
}

const [name, ...args] = process.argv.slice(2)
if (name === 'child') answerCalls(TASKS)
else {
  const { BENCHES } = await import('./benches.ts')
  if (name !== undefined && BENCHES[name]) await BENCHES[name](args)
  else for (const bench of Object.values(BENCHES)) await bench([])
}
