import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import { refreshConfirmed } from './refresh-confirmed.ts'

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
