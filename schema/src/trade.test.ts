import { expect, test } from 'vitest'
import { UnitAmount } from './trade.ts'

test.each(['1.5', 'some', '', '-1', '0', 1.5, 0, 18446744073709551616n.toString()])(
  'the amount %j is refused, and the error says what an amount must be',
  amount => {
    expect(UnitAmount.safeParse(amount).error?.issues[0]?.message).toBe(
      'must be a whole number from 1 to 18446744073709551615, in the smallest unit',
    )
  },
)
