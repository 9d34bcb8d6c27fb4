import type { LaunchDetail, Network } from '@slipway/client'
import { type Figures, isRaise } from '../../../lib/launches.ts'
import { useSite } from '../../../lib/site-context.ts'
import { useTerms } from '../terms/launch-terms.tsx'
import { type CurveShape, shapeOf } from './curve-shape.ts'

/** The shape of a launch’s curve. Undefined if it has none, or if the chain can’t be read. */
export function useCurve(
  { launch }: LaunchDetail,
  network: Network,
  figures: Figures | undefined,
): { shape: CurveShape | undefined; isLoading: boolean } {
  const isReadable = useSite().settings.rpc[network] !== undefined
  const isCurve = !isRaise(launch.mechanic) && launch.graduatedAt === null
  const { data: terms, isError } = useTerms(network, launch.genesisAddress)
  const reserves = isCurve ? terms?.virtualReserves : undefined
  return {
    shape: figures && reserves && shapeOf(figures, reserves),
    isLoading: isCurve && isReadable && !terms && !isError,
  }
}
