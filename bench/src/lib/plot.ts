/** Points as `[x, y]`, from left to right. */
interface Series {
  name: string
  points: readonly (readonly [number, number])[]
}

const WIDTH = 640
const HEIGHT = 360
/** Space for the labels of the axes, and for the names of the series on the right. */
const MARGIN = { top: 40, right: 150, bottom: 40, left: 50 }
/** Readable on white and on black. */
const COLORS = ['#8a8f98', '#d9822b', '#2f81f7', '#2da44e']
const STYLE = `text { font: 13px sans-serif; fill: #1f2328 } .title { font-weight: bold } .grid { stroke: #8a8f98; stroke-opacity: .35 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }`

/** A line chart as SVG, with logarithmic axes. It has no background, so that it fits a light and a dark page. */
export function drawPlot(title: string, series: readonly Series[]): string {
  const points = series.flatMap(line => line.points)
  const xs = createAxis(
    points.map(([x]) => x),
    MARGIN.left,
    WIDTH - MARGIN.right,
  )
  const ys = createAxis(
    points.map(([, y]) => y),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  )
  const label = (value: number) => value.toLocaleString('en')
  const grid = [
    ...xs.ticks.map(
      x =>
        `<path class="grid" d="M${xs.place(x)} ${MARGIN.top}V${HEIGHT - MARGIN.bottom}"/>` +
        `<text x="${xs.place(x)}" y="${HEIGHT - 18}" text-anchor="middle">${label(x)}</text>`,
    ),
    ...ys.ticks.map(
      y =>
        `<path class="grid" d="M${MARGIN.left} ${ys.place(y)}H${WIDTH - MARGIN.right}"/>` +
        `<text x="${MARGIN.left - 8}" y="${ys.place(y) + 4}" text-anchor="end">${label(y)}</text>`,
    ),
  ]
  const lines = series.map(({ name, points }, at) => {
    const places = points.map(([x, y]) => [xs.place(x), ys.place(y)] as const)
    const color = COLORS[at % COLORS.length]
    const [x, y] = [WIDTH - MARGIN.right + 24, MARGIN.top + 22 * (at + 1)]
    return (
      `<path fill="none" stroke="${color}" stroke-width="2" d="M${places.map(place => place.join(' ')).join('L')}"/>` +
      places.map(([x, y]) => `<circle fill="${color}" cx="${x}" cy="${y}" r="3.5"/>`).join('') +
      `<circle fill="${color}" cx="${x}" cy="${y - 4}" r="5"/><text x="${x + 12}" y="${y}">${name}</text>`
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<style>${STYLE}</style>
<text class="title" x="${MARGIN.left}" y="20">${title}</text>
${[...grid, ...lines].join('\n')}
</svg>
`
}

/** A logarithmic axis over these values, from one power of ten to another. */
function createAxis(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values))), low + 1)
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at)),
    place: (value: number) => Math.round(from + ((Math.log10(value) - low) / (high - low)) * (to - from)),
  }
}
