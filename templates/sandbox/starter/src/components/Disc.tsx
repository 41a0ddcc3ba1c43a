import { useRef } from 'react'
import { useSheetValues } from '../koda'
import { disc } from '../theatre/project'

/** A disc that orbits the middle; moved through a ref, without rendering React. */
export function Disc() {
  const node = useRef<HTMLDivElement>(null)
  useSheetValues(disc, ({ x, y, scale, turn }) => {
    node.current!.style.transform = `translate(${x}vh, ${y}vh) rotate(${turn}deg) scale(${scale})`
  })
  return (
    <div
      ref={node}
      style={{
        width: '26vh',
        height: '26vh',
        marginBottom: '16vh',
        borderRadius: '50%',
        background: 'conic-gradient(from 200deg, #ff7a59, #ffcf5c, #6ee7c8, #6c8cff, #ff7a59)',
        boxShadow: '0 3vh 9vh rgba(0, 0, 0, 0.45)',
      }}
    />
  )
}
