import type { ReactNode, SVGProps } from 'react'
import type { Box } from './layout'

/** The place of a part on the frame, drawn in units from its upper left corner; what goes beyond it is seen. */
export function Panel({ box, children, ...rest }: { box: Box; children: ReactNode } & SVGProps<SVGSVGElement>) {
  return (
    <svg className="part" style={{ left: `${box.x}rem`, top: `${box.y}rem`, width: `${box.w}rem`, height: `${box.h}rem` }} viewBox={`0 0 ${box.w} ${box.h}`} {...rest}>
      {children}
    </svg>
  )
}
