import { type ComponentType, Suspense, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { exporting, fail, load, seek, settled, show, waitFor } from './clock'
import { composition } from './hooks'
import { adopt, theatreReady } from './theatre'

declare global {
  interface Window {
    /** True once fonts, textures and code are in and the page shows second 0. */
    __exportReady?: boolean
    /** Shows a time; resolves when the page shows all of it. */
    __exportSeekTo?: (seconds: number) => void | Promise<void>
    /** Parameters of the render, set before any script runs. */
    __kodaProps?: Record<string, unknown>
    /** A string that covers everything the frame is drawn from; see keyFramesBy. */
    __kodaFrameKey?: (seconds: number) => string
    /** The keys hold all that frames read of the parameters; without it koda adds the parameters. */
    __kodaPropsKeyed?: boolean
    /** The key of the page's first picture; without this function it is the key of second 0. */
    __kodaFirstKey?: () => string
  }
}

/**
 * Puts the animation on the page and fulfils koda's contract: if opened with
 * ?export, the page waits for seeks, else it plays in a loop.
 */
export function mount(App: ComponentType, theatre: Record<string, unknown>): void {
  if (exporting) watch()
  adopt(theatre)
  const element = document.getElementById('root')
  if (!element) throw new Error('index.html has no element with id "root"')
  const root = createRoot(element, { onUncaughtError: report })
  flushSync(() =>
    root.render(
      <Suspense fallback={<Suspended />}>
        <App />
      </Suspense>,
    ),
  )
  window.__exportSeekTo = seek
  void start().catch(report)
}

function report(error: unknown): void {
  fail(error)
  reportError(error)
}

/** An uncaught error, in the stage's React root or in a callback, fails the next seek. */
function watch(): void {
  window.addEventListener('error', (event) => {
    if (event.error != null) fail(event.error)
  })
  window.addEventListener('unhandledrejection', (event) => fail(event.reason))
}

async function start(): Promise<void> {
  await theatreReady()
  await Promise.all([...document.fonts].map((font) => font.load()))
  await settled()
  await load()
  if (exporting) window.__exportReady = true
  else play()
}

function play(): void {
  const started = performance.now()
  const frame = () => {
    show(((performance.now() - started) / 1000) % composition.duration)
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

/** The fallback of a suspended component; it makes the page wait for the component. */
function Suspended(): null {
  useLayoutEffect(() => {
    let resolve = () => {}
    void waitFor(new Promise<void>((done) => (resolve = done)))
    return () => resolve()
  }, [])
  return null
}
