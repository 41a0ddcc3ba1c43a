import { useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { advance, Canvas, useFrame } from '@react-three/fiber'

// Nothing is drawn but by advance, which a seek calls.
function Block({ rect }) {
  const material = useRef()
  useFrame(({ clock }) => material.current.color.set(barcode.rects(clock.elapsedTime)[rect.bit * 2 + rect.row].fill))
  return (
    <mesh position={[rect.x + 20 - 240, 135 - rect.y - 8, 400]}>
      <planeGeometry args={[40, 16]} />
      <meshBasicMaterial ref={material} toneMapped={false} />
    </mesh>
  )
}

function Ring() {
  const ring = useRef()
  useFrame(({ clock }) => ring.current.rotation.set(clock.elapsedTime, clock.elapsedTime * 2, 0))
  return (
    <mesh ref={ring} position={[0, 20, 0]}>
      <torusGeometry args={[60, 20, 16, 48]} />
      <meshNormalMaterial />
    </mesh>
  )
}

createRoot(document.querySelector('#root')).render(
  <Canvas frameloop="never" orthographic camera={{ position: [0, 0, 500], near: 1, far: 2000, zoom: 1 }} onCreated={() => (window.__exportReady = true)}>
    <color attach="background" args={['#203040']} />
    <Ring />
    {barcode.rects(0).map((r) => (
      <Block key={r.bit * 2 + r.row} rect={r} />
    ))}
  </Canvas>,
)
window.__exportSeekTo = (t) => advance(t)
