import type { LaunchDetail, Network } from '@slipway/client'
import { Panel } from '../../../components/panel.tsx'
import { quoteSymbol } from '../../../lib/format.ts'
import type { Figures } from '../../../lib/launches.ts'
import styles from '../launch.module.css'
import { CurvePicture } from './curve-picture.tsx'
import { useCurve } from './use-curve.ts'

export const CURVE_TITLE = 'Price along the curve'

/** The curve of a launch that has not opened. */
export function CurvePanel({
  data,
  network,
  figures,
}: {
  data: LaunchDetail
  network: Network
  figures: Figures | undefined
}) {
  const { shape, isLoading } = useCurve(data, network, figures)
  if (!shape && !isLoading) return null
  return (
    <Panel title={CURVE_TITLE}>
      {shape ? <CurvePicture shape={shape} symbol={quoteSymbol(figures?.quoteMint ?? '')} /> : <CurveSpace />}
    </Panel>
  )
}

export const CurveSpace = () => (
  <div className={styles.curveSpace} role="status" aria-label="Loading the curve" />
)
