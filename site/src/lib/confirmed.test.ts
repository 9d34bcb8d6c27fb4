import { createSlipway, SlipwayError } from '@slipway/client'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { noteConfirmed, readConfirmed, refreshConfirmed } from './confirmed.ts'
import { agentWalletQuery, positionQuery, quoteQuery, rewardsQuery, walletQuery } from './queries.ts'

const NETWORK = 'chain-mainnet'
const refusal = (status: number) => new SlipwayError('no', { code: 'UNKNOWN_RESPONSE', status })

test('after a confirmation, every read of that wallet asks for its slot, and no other read does', async () => {
  const asked: (string | null)[] = []
  const slipway = createSlipway({
    url: 'http://service.example',
    retries: 0,
    fetch: async input => {
      asked.push(new URL(`${input}`).searchParams.get('minSlot'))
      return new Response(null, { status: 404 })
    },
  })
  const order = { side: 'buy', amount: '1', slippageBps: 100 } as const
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  onTestFinished(() => queryClient.clear())
  const askAll = async (wallet: string) => {
    asked.length = 0
    const agent = { address: 'agent', walletAddress: wallet }
    await Promise.allSettled([
      queryClient.fetchQuery(positionQuery(slipway, NETWORK, 'launch', wallet)),
      queryClient.fetchQuery(quoteQuery(slipway, NETWORK, 'launch', { ...order, wallet })),
      queryClient.fetchQuery(walletQuery(slipway, NETWORK, wallet)),
      queryClient.fetchQuery(rewardsQuery(slipway, NETWORK, wallet)),
      queryClient.fetchQuery({ ...agentWalletQuery(slipway, NETWORK, agent), retry: false }),
    ])
    return asked
  }
  noteConfirmed(NETWORK, ['payer', 'recipient'], 7)
  expect(await askAll('payer')).toEqual(Array(5).fill('7'))
  expect(await askAll('recipient')).toEqual(Array(5).fill('7'))
  expect(await askAll('stranger')).toEqual(Array(5).fill(null))
})

test('the newest slot counts, for half a minute', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const slot = () => readConfirmed(NETWORK, 'owner', async minSlot => minSlot)
  noteConfirmed(NETWORK, ['owner'], 12)
  vi.advanceTimersByTime(10_000)
  noteConfirmed(NETWORK, ['owner'], 11)
  vi.advanceTimersByTime(30_000)
  expect(await slot()).toBe(12)
  expect(await readConfirmed('chain-devnet', 'owner', async minSlot => minSlot)).toBeUndefined()
  vi.advanceTimersByTime(1)
  expect(await slot()).toBeUndefined()
})

test('a slot that the service refuses is left out; an outage is an outage', async () => {
  noteConfirmed(NETWORK, ['ahead'], 1_000)
  const readWith = (status: number) =>
    readConfirmed(NETWORK, 'ahead', async minSlot => {
      if (minSlot !== undefined) throw refusal(status)
      return 'answer'
    })
  expect(await readWith(400)).toBe('answer')
  await expect(readWith(503)).rejects.toMatchObject({ status: 503 })
})

test('the effect of a transaction is shown soon, even if the first answer is from before it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const queryClient = new QueryClient()
  onTestFinished(() => queryClient.clear())
  const answers = ['before', 'before', 'after']
  const queryKey = ['market', 'position']
  const options = { queryKey, queryFn: () => answers.shift() ?? 'after' }
  new QueryObserver(queryClient, options).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(10)
  refreshConfirmed(queryClient, [['market']])
  await vi.advanceTimersByTimeAsync(10)
  expect(queryClient.getQueryData(queryKey)).toBe('before')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(queryClient.getQueryData(queryKey)).toBe('after')
})
