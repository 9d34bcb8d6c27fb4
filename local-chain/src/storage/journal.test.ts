import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/start-chain.ts'
import { openJournal } from './journal.ts'

test('the next snapshot waits until the journal is as large as the last snapshot', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder, { restore: () => {}, bytesMax: 100 })
  const fill = () => {
    let count = 0
    for (; !journal.snapshotDue; count++) journal.append({ text: 'x'.repeat(50) })
    return count
  }
  const small = fill()
  journal.snapshot(Array.from({ length: 100 }, () => ({ text: 'x'.repeat(50) })))
  const large = fill()
  journal.close()
  expect([small, large]).toEqual([2, 101])
  // The same holds after a restart.
  const again = openJournal(folder, { restore: () => {}, bytesMax: 100 })
  expect(again.snapshotDue).toBe(true)
  again.snapshot(Array.from({ length: 200 }, () => ({ text: 'x'.repeat(50) })))
  again.close()
  const third = openJournal(folder, { restore: () => {}, bytesMax: 100 })
  third.append({ text: 'x'.repeat(200) })
  expect(third.snapshotDue).toBe(false)
  third.close()
})

test('a journal cut off at any byte is read up to its last complete record', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder, { restore: () => {} })
  for (let n = 0; n < 5; n++) journal.append({ n, text: 'x'.repeat(50) })
  journal.close()
  const path = join(folder, '0.journal')
  const whole = statSync(path).size
  const record = whole / 5

  for (let cut = whole; cut >= 0; cut--) {
    truncateSync(path, cut)
    const seen: unknown[] = []
    openJournal(folder, { restore: value => seen.push(value) }).close()
    expect(seen).toHaveLength(Math.floor(cut / record))
  }
})

test('a record with any damaged byte ends the journal and is reported', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder, { restore: () => {} })
  for (let n = 0; n < 3; n++) journal.append({ n })
  journal.close()
  const path = join(folder, '0.journal')
  const good = readFileSync(path)
  const record = good.length / 3
  for (let at = 0; at < good.length; at++) {
    const bad = Buffer.from(good)
    bad[at] = (bad[at] as number) ^ 0x40
    writeFileSync(path, bad)
    const [seen, errors]: [unknown[], Error[]] = [[], []]
    openJournal(folder, { restore: value => seen.push(value), onError: error => errors.push(error) }).close()
    expect(seen).toEqual([0, 1, 2].slice(0, Math.floor(at / record)).map(n => ({ n })))
    expect(errors).toHaveLength(1)
  }
})

test('garbage at the end of the journal is dropped, and later records are kept', () => {
  const folder = temporaryFolder()
  const first = openJournal(folder, { restore: () => {} })
  first.append({ n: 1 })
  first.close()
  appendFileSync(join(folder, '0.journal'), Buffer.from([9, 0, 0, 0, 1, 2, 3, 4, 5, 6]))
  const second = openJournal(folder, { restore: () => {} })
  second.append({ n: 2 })
  second.close()
  const seen: unknown[] = []
  openJournal(folder, { restore: value => seen.push(value) }).close()
  expect(seen).toEqual([{ n: 1 }, { n: 2 }])
})

test('an unfinished snapshot is ignored', () => {
  const folder = temporaryFolder()
  const first = openJournal(folder, { restore: () => {} })
  first.append({ n: 1 })
  first.close()
  writeFileSync(join(folder, '1.snapshot.tmp'), 'half of it')
  writeFileSync(join(folder, '1.journal'), '')
  const seen: unknown[] = []
  openJournal(folder, { restore: value => seen.push(value) }).close()
  expect(seen).toEqual([{ n: 1 }])
})

test('a snapshot cut off at any byte stops start-up', () => {
  const folder = temporaryFolder()
  const journal = openJournal(folder, { restore: () => {} })
  journal.snapshot([{ n: 1 }, { n: 2 }])
  journal.close()
  const path = join(folder, '1.snapshot')
  for (let size = statSync(path).size - 1; size >= 0; size--) {
    truncateSync(path, size)
    expect(() => openJournal(folder, { restore: () => {} })).toThrow(/1\.snapshot is damaged\. Remove/)
  }
})

test('a journal without its snapshot is discarded', () => {
  const folder = temporaryFolder()
  const first = openJournal(folder, { restore: () => {} })
  first.append({ n: 1 })
  first.close()
  writeFileSync(join(folder, '1.journal'), readFileSync(join(folder, '0.journal')))
  const second = openJournal(folder, { restore: () => {} })
  second.snapshot([{ n: 2 }])
  second.append({ n: 3 })
  second.close()
  const seen: unknown[] = []
  openJournal(folder, { restore: value => seen.push(value) }).close()
  expect(seen).toEqual([{ n: 2 }, { n: 3 }])
})
