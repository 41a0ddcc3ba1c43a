import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

function App() {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTicks((n) => n + 1), 50)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      <h1 style={{ transform: `translateX(${ticks * 8}px)` }}>{ticks}</h1>
      {barcode.rects(ticks * 0.05).map((r, i) => (
        <div key={i} style={{ position: 'absolute', left: r.x, top: r.y, width: r.w, height: r.h, background: r.fill }} />
      ))}
    </>
  )
}

createRoot(document.querySelector('#root')).render(<App />)
