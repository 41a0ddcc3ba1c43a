import { useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { Canvas, useFrame } from '@react-three/fiber'

// The loop of the canvas draws what the values are; Theatre.js, which comes later,
// sets them in a loop of its own.
const values = { s: 0, x: 0, turn: 0 }

function Scene() {
  const cube = useRef()
  const strip = useRef([])
  useFrame(() => {
    cube.current.position.x = values.x - 200
    cube.current.rotation.z = values.turn
    barcode.rects(values.s).forEach((r, i) => strip.current[i].color.set(r.fill))
  })
  return (
    <>
      <mesh ref={cube} position={[0, 20, 0]}>
        <boxGeometry args={[70, 70, 70]} />
        <meshNormalMaterial />
      </mesh>
      {barcode.rects(0).map((r, i) => (
        <mesh key={i} position={[r.x + 20 - 240, 135 - r.y - 8, 400]}>
          <planeGeometry args={[40, 16]} />
          <meshBasicMaterial ref={(m) => void (strip.current[i] = m)} toneMapped={false} />
        </mesh>
      ))}
    </>
  )
}

async function begin() {
  const score = await import('../score.js')
  for (const object of [score.time, score.box]) object.onValuesChange((v) => Object.assign(values, v))
  await score.project.ready
  window.__exportSeekTo = (t) => void (score.sheet.sequence.position = t)
  window.__exportReady = true
}

createRoot(document.querySelector('#root')).render(
  <Canvas orthographic camera={{ position: [0, 0, 500], near: 1, far: 2000, zoom: 1 }} onCreated={begin}>
    <Scene />
  </Canvas>,
)
