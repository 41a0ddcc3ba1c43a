import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { stage } from '../theatre/project'
import { type Layout } from './layout'

/** The black bars of a wide screen, sliding in. */
export function Letterbox({ layout }: { layout: Layout }) {
  const top = useRef<SVGRectElement>(null)
  const bottom = useRef<SVGRectElement>(null)
  const { width, height, bar } = layout
  useSheetValues(stage, ({ bars }) => {
    top.current!.setAttribute('height', String(bar * bars))
    bottom.current!.setAttribute('height', String(bar * bars))
    bottom.current!.setAttribute('y', String(height - bar * bars))
  })
  return (
    <>
      <rect ref={top} width={width} />
      <rect ref={bottom} width={width} />
    </>
  )
}
