import { composition, useSheetObject } from '../koda'
import { Disc } from '../components/Disc'
import { title } from '../theatre/project'

export function MainScene() {
  const { reveal, fade } = useSheetObject(title)
  return (
    <main
      style={{
        position: 'absolute',
        inset: 0,
        display: 'grid',
        placeItems: 'center',
        background: 'radial-gradient(120% 90% at 50% 20%, #2b2f63 0%, #15173a 55%, #0b0c20 100%)',
      }}
    >
      <Disc />
      <h1
        style={{
          position: 'absolute',
          bottom: '14vh',
          margin: 0,
          fontFamily: 'var(--font-display)',
          fontWeight: 600,
          fontSize: '9vh',
          letterSpacing: `${0.3 - 0.32 * reveal}em`,
          opacity: reveal * fade,
          transform: `translateY(${(1 - reveal) * 4}vh)`,
        }}
      >
        {composition.name}
      </h1>
    </main>
  )
}
