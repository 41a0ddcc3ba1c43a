import { useRef } from 'react'
import { Backdrop, Darkness } from '../components/Backdrop'
import { Ball } from '../components/Ball'
import { Caption } from '../components/Caption'
import { Dust } from '../components/Dust'
import { layoutOf, useLayout } from '../components/layout'
import { Letterbox } from '../components/Letterbox'
import { roomed, style, text } from '../components/look'
import { Shadow } from '../components/Shadow'
import { useSheetValues } from '../koda'
import { bodies, stage } from '../theatre/project'

/** Everything, back to front. Only the front moves; the wall is a layer of its own. */
export function MainScene() {
  const layout = useLayout()
  const camera = useRef<SVGGElement>(null)
  useSheetValues(stage, ({ zoom }) => {
    // The camera comes closer to where the ball meets the floor.
    camera.current!.setAttribute('transform', `translate(${layout.x} ${layout.floor}) scale(${zoom}) translate(${-layout.x} ${-layout.floor})`)
  })
  return (
    <main className={roomed ? 'picture' : 'picture bare'}>
      {roomed && <Backdrop layout={layout} />}
      {roomed && style === 'cinematic' && <Darkness />}
      <svg viewBox={`0 0 ${layout.width} ${layout.height}`} preserveAspectRatio="none" className="layer">
        <g ref={camera}>
          {bodies.map((body, nth) => (
            <Shadow key={nth} layout={layoutOf(layout, nth)} body={body} nth={nth} />
          ))}
          {bodies.map((body, nth) => (
            <Ball key={nth} layout={layoutOf(layout, nth)} body={body} nth={nth} />
          ))}
          {bodies.map((body, nth) => (
            <Dust key={nth} layout={layoutOf(layout, nth)} body={body} nth={nth} />
          ))}
        </g>
        {roomed && style === 'cinematic' && <Letterbox layout={layout} />}
      </svg>
      {text && <Caption layout={layout} />}
    </main>
  )
}
