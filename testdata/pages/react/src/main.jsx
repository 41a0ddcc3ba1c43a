import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

function App() {
  const [seconds, setSeconds] = useState(0)
  const [late, setLate] = useState(0) // an effect's, a commit later
  useEffect(() => {
    window.__exportSeekTo = (t) => setSeconds(t)
    window.__exportReady = true
  }, [])
  useEffect(() => setLate(seconds), [seconds])
  return (
    <>
      <h1 style={{ transform: `translateX(${seconds * 150}px)`, margin: 20 }}>{seconds.toFixed(2)}</h1>
      <ul>{Array.from({ length: Math.floor(late * 3) }, (_, i) => <li key={i}>item {i + 1}</li>)}</ul>
      {barcode.rects(late).map((r) => (
        <div key={r.bit * 2 + r.row} style={{ position: 'absolute', left: r.x, top: r.y, width: r.w, height: r.h, background: r.fill }} />
      ))}
    </>
  )
}

createRoot(document.querySelector('#root')).render(<App />)
