import { expect, onTestFinished, test, vi } from 'vitest'
import { type Chain, classifyMessage, type TransactionStatus } from './chain.ts'
import { createSubmitter } from './create-submitter.ts'

const BUILT = { tx: 'AA==', blockhash: { blockhash: 'b', lastValidBlockHeight: 100 } }
const CONFIRMED: TransactionStatus = { isConfirmed: true, slot: 42, error: null }

/** A submitter on a stand-in for a chain that answers in its own time. */
function createOn(chain: Partial<Chain<string>>) {
  const sends: boolean[] = []
  const submitter = createSubmitter<string>({
    signers: [],
    sign: async transactions => transactions.map(() => 'signature'),
    signatureOf: signed => signed,
    readStatuses: async () => [undefined],
    readBlockHeight: async () => 1,
    classify: classifyMessage,
    ...chain,
    send: async (signed, options) => {
      sends.push(options.skipPreflight)
      return chain.send?.(signed, options)
    },
  })
  return { submitter, sends }
}

function submitOn(chain: Partial<Chain<string>>) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { submitter, sends } = createOn(chain)
  const controller = new AbortController()
  const result = submitter.submit(BUILT, { signal: controller.signal }).catch(error => error)
  return { result, sends, controller }
}

test('a transaction is sent again until it is confirmed', async () => {
  let reads = 0
  const { result, sends } = submitOn({ readStatuses: async () => [++reads > 12 ? CONFIRMED : undefined] })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await result).toEqual({ signature: 'signature', slot: 42 })
  expect(sends).toEqual([false, true, true])
})

test('a node that does not know the blockhash yet is asked again; once the blockhash has expired, that is the reason', async () => {
  let height = 1
  const send = () => Promise.reject(new Error('Transaction simulation failed: Blockhash not found'))
  const { result, sends } = submitOn({ send, readBlockHeight: async () => height })
  await vi.advanceTimersByTimeAsync(6_000)
  expect(sends).toEqual([false, false, false])
  height = 101
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await result).toMatchObject({ reason: 'expired' })
})

test('a transaction that may have arrived is not reported as rejected', async () => {
  for (const message of [
    'fetch failed',
    '429 Too Many Requests',
    'Node is behind by 200 slots',
    'This transaction has already been processed',
  ]) {
    let isKnown = false
    const { result, sends } = submitOn({
      // The second time, the node knows the transaction's effects, but perhaps not the transaction.
      send: () => Promise.reject(new TypeError(sends.length > 1 ? 'Transaction simulation failed' : message)),
      readStatuses: async () => [isKnown ? CONFIRMED : undefined],
    })
    await vi.advanceTimersByTimeAsync(3_000)
    isKnown = true
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await result).toEqual({ signature: 'signature', slot: 42 })
  }
})

test('if the RPC stays unreachable, the result is unknown', async () => {
  const readBlockHeight = () => Promise.reject(new TypeError('fetch failed'))
  const { result } = submitOn({ readBlockHeight })
  await vi.advanceTimersByTimeAsync(100_000)
  expect(await result).toMatchObject({ reason: 'unknown', signature: 'signature' })
})

test('a signal stops the waiting', async () => {
  const { result, controller } = submitOn({})
  await vi.advanceTimersByTimeAsync(1_000)
  controller.abort(new Error('enough'))
  expect(await result).toMatchObject({ message: 'enough' })
})

test('in order, each transaction is sent after the one before it is confirmed, and none after a failure', async () => {
  const sent: string[] = []
  const { submitter } = createOn({
    sign: async () => ['first', 'second', 'third'],
    send: async signed => void sent.push(signed),
    readStatuses: async ([signature]) => {
      expect(sent.at(-1)).toBe(signature)
      return [{ isConfirmed: true, slot: 42, error: signature === 'second' ? 'no funds' : null }]
    },
  })
  const signed: string[][] = []
  const results = await submitter.submitAll(
    { transactions: ['AA==', 'AA==', 'AA=='], blockhash: BUILT.blockhash },
    { inOrder: true, onSigned: signatures => void signed.push([...signatures, `${sent.length} sent`]) },
  )
  expect(results.map(({ index, status }) => [index, status])).toEqual([
    [0, 'confirmed'],
    [1, 'failed'],
  ])
  expect(sent).toEqual(['first', 'second'])
  expect(signed).toEqual([['first', 'second', 'third', '0 sent']])
})

test('an RPC that goes away and comes back is reported once each', async () => {
  let isAway = true
  const changes: boolean[] = []
  const { submitter } = createOn({
    readStatuses: async () => [isAway ? undefined : CONFIRMED],
    readBlockHeight: async () => {
      if (isAway) throw new TypeError('fetch failed')
      return 1
    },
  })
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const result = submitter.submit(BUILT, { onReachable: isReachable => void changes.push(isReachable) })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(changes).toEqual([false])
  isAway = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await result).toEqual({ signature: 'signature', slot: 42 })
  expect(changes).toEqual([false, true])
})

/** A launch whose blockhash expires after this many confirmed transactions, in each attempt. */
function launchWith(confirmedPerAttempt: number[], transactions: number) {
  let [left, confirmed] = [transactions, 0]
  let inAttempt = 0
  const requests: object[] = []
  const slipway = {
    launches: {
      async create(request: object) {
        requests.push(request)
        inAttempt = confirmedPerAttempt[requests.length - 1] ?? 0
        return {
          genesisAccount: 'genesis',
          mintAddress: 'mint',
          blockhash: BUILT.blockhash,
          transactions: Array(left).fill(BUILT.tx),
        }
      },
    },
  }
  const { submitter } = createOn({
    async readStatuses() {
      if (inAttempt === 0) return [undefined]
      inAttempt -= 1
      left -= 1
      confirmed += 1
      return [CONFIRMED]
    },
    readBlockHeight: async () => (inAttempt === 0 ? 101 : 1),
  })
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const result = submitter.createLaunch(slipway as never, { name: 'request' } as never).catch(error => error)
  return { result, requests, confirmed: () => confirmed }
}

test('a launch continues after any number of expiries, as long as something is confirmed between them', async () => {
  const { result, requests, confirmed } = launchWith([1, 1, 1, 1, 1], 5)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await result).toMatchObject({ genesisAccount: 'genesis', signatures: Array(5).fill('signature') })
  expect([requests.length, confirmed()]).toEqual([5, 5])
  expect(requests.slice(1)).toEqual(Array(4).fill({ name: 'request', genesisAccount: 'genesis' }))
})

test('a launch that expires four times without progress fails, and three times does not', async () => {
  const lucky = launchWith([0, 0, 0, 1], 1)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await lucky.result).toMatchObject({ signatures: ['signature'] })
  // Nothing is on the chain yet, so there is nothing to continue.
  expect(lucky.requests).toEqual(Array(4).fill({ name: 'request' }))
  const stuck = launchWith([1, 0, 0, 0, 1], 2)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await stuck.result).toMatchObject({ reason: 'expired' })
  expect(stuck.requests).toHaveLength(4)
})

test('a transaction is reported as sent once, when a node has accepted it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sent: string[] = []
  let answer: () => Promise<unknown> = () => Promise.reject(new TypeError('fetch failed'))
  const { submitter, sends } = createOn({
    send: () => answer() as Promise<never>,
    readStatuses: async () => [sends.length > 4 ? CONFIRMED : undefined],
  })
  const result = submitter.submit(BUILT, { onSent: signature => sent.push(signature) })
  await vi.advanceTimersByTimeAsync(5_000)
  expect([sends.length > 1, sent]).toEqual([true, []])
  answer = async () => {}
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await result).toEqual({ signature: 'signature', slot: 42 })
  expect(sent).toEqual(['signature'])
})
