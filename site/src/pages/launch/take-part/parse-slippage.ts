export const SLIPPAGES = [
  { value: '0.5', text: '0.5%' },
  { value: '1', text: '1%' },
  { value: '5', text: '5%' },
  { value: 'own', text: 'Custom' },
] as const

export interface Slippage {
  choice: (typeof SLIPPAGES)[number]['value']
  own: string
}
/** What the form begins with. */
export const SLIPPAGE: Slippage = { choice: '1', own: '' }

const BPS_MAX = 5_000

/** In basis points; undefined if it is no percentage from 0 to 50. */
export function parseSlippage({ choice, own }: Slippage): number | undefined {
  const text = choice === 'own' ? own.trim().replace(',', '.') : choice
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text)) return undefined
  const bps = Math.round(Number(text) * 100)
  return bps <= BPS_MAX ? bps : undefined
}
