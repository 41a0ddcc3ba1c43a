import { useRef } from 'react'
import { Accent } from '../components/Accent'
import { Backdrop, Darkness } from '../components/Backdrop'
import { type Layout, useLayout } from '../components/layout'
import { Letterbox } from '../components/Letterbox'
import { style } from '../components/look'
import { Subtitle, Title } from '../components/Words'
import { useSheetValues } from '../koda'
import { stage } from '../theatre/project'

/** Everything, back to front. Only the front moves; the wall is a layer of its own. */
export function MainScene() {
  const layout = useLayout()
  return <main className="picture">{layout && <Picture layout={layout} />}</main>
}

function Picture({ layout }: { layout: Layout }) {
  const camera = useRef<SVGGElement>(null)
  const { width, height } = layout
  useSheetValues(stage, ({ zoom }) => {
    camera.current!.setAttribute('transform', `translate(${width / 2} ${height / 2}) scale(${zoom}) translate(${-width / 2} ${-height / 2})`)
  })
  return (
    <>
      <Backdrop layout={layout} />
      {style === 'cinematic' && <Darkness />}
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="layer">
        <g ref={camera}>
          <Accent layout={layout} />
          <Title layout={layout} />
          <Subtitle layout={layout} />
        </g>
        {style === 'cinematic' && <Letterbox layout={layout} />}
      </svg>
    </>
  )
}
