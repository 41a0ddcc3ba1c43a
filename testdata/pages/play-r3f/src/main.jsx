import { useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { Canvas, useFrame } from '@react-three/fiber'

let seconds = 0
let frames = 0

function Scene() {
  const cube = useRef()
  const strip = useRef([])
  useFrame((_, delta) => {
    if (frames++ > 0) seconds += delta
    cube.current.rotation.set(seconds, seconds * 2, 0)
    barcode.rects(seconds).forEach((r, i) => strip.current[i].color.set(r.fill))
  })
  return (
    <>
      <mesh ref={cube} position={[0, 20, 0]}>
        <boxGeometry args={[90, 90, 90]} />
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

createRoot(document.querySelector('#root')).render(
  <Canvas orthographic camera={{ position: [0, 0, 500], near: 1, far: 2000, zoom: 1 }}>
    <Scene />
  </Canvas>,
)
