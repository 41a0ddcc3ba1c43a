import { useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { Canvas, useFrame } from '@react-three/fiber'

// Its loop runs always, and reads the time that the seek left behind.
let seconds = 0

function Block({ rect }) {
  const material = useRef()
  useFrame(() => material.current.color.set(barcode.rects(seconds)[rect.bit * 2 + rect.row].fill))
  return (
    <mesh position={[rect.x + 20 - 240, 135 - rect.y - 8, 400]}>
      <planeGeometry args={[40, 16]} />
      <meshBasicMaterial ref={material} toneMapped={false} />
    </mesh>
  )
}

function Cube() {
  const cube = useRef()
  useFrame(() => cube.current.rotation.set(seconds, seconds * 2, 0))
  return (
    <mesh ref={cube} position={[0, 20, 0]}>
      <boxGeometry args={[90, 90, 90]} />
      <meshStandardMaterial color="orange" />
    </mesh>
  )
}

createRoot(document.querySelector('#root')).render(
  <Canvas orthographic camera={{ position: [0, 0, 500], near: 1, far: 2000, zoom: 1 }} onCreated={() => (window.__exportReady = true)}>
    <color attach="background" args={['#203040']} />
    <ambientLight intensity={0.5} />
    <directionalLight position={[1, 2, 3]} intensity={2} />
    <Cube />
    {barcode.rects(0).map((r) => (
      <Block key={r.bit * 2 + r.row} rect={r} />
    ))}
  </Canvas>,
)
window.__exportSeekTo = (t) => {
  seconds = t
}
