import type { Figure } from './figure.ts'
import type { Random } from './random.ts'
import type { Target } from './target.ts'

export interface Attack {
  name: string
  /** Variables that the service is started with for this attack. */
  environment?: Record<string, string>
  run(target: Target, options: AttackOptions): Promise<Figure[]>
}

interface AttackOptions {
  random: Random
  /** The form for `npm test`: the same attacks with less of everything. */
  isShort: boolean
}
