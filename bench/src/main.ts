import { answerCalls, usage } from './lib/child.ts'

/** What a child can be asked for. Each loads only what it uses, because loading is a part of what is measured. */
const TASKS = {
  serveAnswer: async (input: never) => (await import('./chain/serve-chain.ts')).serveAnswer(input),
  serveChain: async (input: never) => (await import('./chain/serve-chain.ts')).serveChain(input),
  serveCopy: async (input: never) => (await import('./http/serve-copy.ts')).serveCopy(input),
  serveSlipway: async (input: never) => (await import('./http/serve-slipway.ts')).serveSlipway(input),
  serveRpcStub: async (input: never) =>
    (await import('./transactions/serve-withdrawals.ts')).serveRpcStub(input),
  serveWithdrawals: async (input: never) =>
    (await import('./transactions/serve-withdrawals.ts')).serveWithdrawals(input),
  serveUmiWithdrawals: async (input: never) =>
    (await import('./transactions/serve-withdrawals.ts')).serveUmiWithdrawals(input),
  serveNode: async (input: never) => (await import('./lib/serve-node.ts')).serveNode(input),
  serveQueries: async (input: never) => (await import('./lib/serve-node.ts')).serveQueries(input),
  serveSite: async (input: never) => (await import('./site/serve-site.ts')).serveSite(input),
  generateLoad: async (input: never) => (await import('./lib/load.ts')).generateLoad(input),
  measureBackfill: async (input: never) =>
    (await import('./indexer/measure-backfill.ts')).measureBackfill(input),
  measureBuildCost: async (input: never) =>
    (await import('./transactions/build-cost.ts')).measureBuildCost(input),
  measureClaimsCost: async (input: never) =>
    (await import('./transactions/claims-cost.ts')).measureClaimsCost(input),
  measureChangeCost: async (input: never) =>
    (await import('./listings/change-cost.ts')).measureChangeCost(input),
  measureStart: async (input: never) => (await import('./listings/measure-start.ts')).measureStart(input),
  serveIndexNode: async (input: never) =>
    (await import('./indexer/serve-index-node.ts')).serveIndexNode(input),
  openStreams: async (input: never) => (await import('./events/follow-streams.ts')).openStreams(input),
  findCompletion: async (input: never) => (await import('./events/follow-streams.ts')).findCompletion(input),
  openStuckStreams: async (input: never) =>
    (await import('./events/follow-streams.ts')).openStuckStreams(input),
  usage,
}

const [name, ...args] = process.argv.slice(2)
if (name === 'child') answerCalls(TASKS)
else {
  const { BENCHES } = await import('./benches.ts')
  if (name !== undefined && BENCHES[name]) await BENCHES[name](args)
  else for (const bench of Object.values(BENCHES)) await bench([])
}
