import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { Bar, BarChart, Cell, Line, LineChart, XAxis, YAxis } from 'recharts'

// The barcode is a chart of two stacked bars for each bit.
function App({ seconds }) {
  const rects = barcode.rects(seconds)
  const bits = Array.from({ length: 12 }, (_, bit) => ({ bit, low: 1, high: 1 }))
  const wave = Array.from({ length: 30 }, (_, i) => ({ i, v: Math.sin(i / 3 + seconds * 3) * (1 + seconds) }))
  const cells = (row) => bits.map((b) => <Cell key={b.bit} fill={rects[b.bit * 2 + row].fill} />)
  return (
    <>
      <LineChart width={480} height={230} data={wave}>
        <XAxis dataKey="i" />
        <YAxis domain={[-3, 3]} />
        <Line dataKey="v" stroke="gold" strokeWidth={3} dot={false} isAnimationActive={false} />
      </LineChart>
      <div style={{ position: 'absolute', top: 238, left: 0 }}>
        <BarChart width={480} height={32} data={bits} margin={{ top: 0, right: 0, bottom: 0, left: 0 }} barCategoryGap={0} barGap={0}>
          <YAxis hide domain={[0, 2]} />
          <Bar dataKey="low" stackId="a" isAnimationActive={false} shapeRendering="crispEdges">{cells(1)}</Bar>
          <Bar dataKey="high" stackId="a" isAnimationActive={false} shapeRendering="crispEdges">{cells(0)}</Bar>
        </BarChart>
      </div>
    </>
  )
}

const root = createRoot(document.querySelector('#root'))
window.__exportSeekTo = (t) => flushSync(() => root.render(<App seconds={t} />))
window.__exportReady = true
