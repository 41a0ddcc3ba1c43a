import { flushSync } from 'react-dom'

/**
 * The time that the page shows. Nothing here runs by itself: a seek sets the time,
 * updates everything that depends on the time, and returns when the page shows it.
 *
 * Order of one seek: drivers (Theatre sheets) → React commits (DOM, then 3D) →
 * what is still loading → callbacks of useOnSeek → 3D stages are drawn.
 */

/** A 3D stage: a second React root that is committed and drawn by the seek. */
export interface Stage {
  /** Commits what React has scheduled in the stage's own root. */
  commit(): void
  /** Resolves when nothing in the stage is suspended any more; null if nothing is suspended now. */
  pending(): Promise<void> | null
  draw(seconds: number): void
}

let now = 0
let asked = false
let failure: unknown
let failed = false

const drivers = new Set<(seconds: number) => void>()
const readers = new Set<() => void>()
const appliers = new Set<(seconds: number) => void>()
const stages = new Set<Stage>()
const waits = new Set<Promise<unknown>>()
const decoded = new WeakSet<HTMLImageElement>()

function add<T>(set: Set<T>, item: T): () => void {
  set.add(item)
  return () => void set.delete(item)
}

/** Seconds shown now. Components use useCurrentTime instead. */
export const currentTime = (): number => now

/** False until the first seek. */
export const begun = (): boolean => asked

/** True when koda draws frames, false in the live view. */
export const exporting: boolean = new URLSearchParams(location.search).has('export')

export const onDrive = (fn: (seconds: number) => void) => add(drivers, fn)
export const subscribe = (fn: () => void) => add(readers, fn)
export const onApply = (fn: (seconds: number) => void) => add(appliers, fn)
export const addStage = (stage: Stage) => add(stages, stage)

/** Makes readiness, or the current seek, wait for a promise. */
export function waitFor<T>(promise: Promise<T>): Promise<T> {
  const watched = promise.then(
    () => void waits.delete(watched),
    (error) => {
      waits.delete(watched)
      fail(error)
    },
  )
  waits.add(watched)
  return promise
}

/** Remembers an error, which the next seek throws. */
export function fail(error: unknown): void {
  if (!failed) failure = error
  failed = true
}

function check(): void {
  if (failed) throw failure
}

function commit(): void {
  flushSync(() => {})
  for (const stage of stages) stage.commit()
}

function present(seconds: number): void {
  for (const apply of appliers) apply(seconds)
  for (const stage of stages) stage.draw(seconds)
}

function move(seconds: number): void {
  now = seconds
  for (const drive of drivers) drive(seconds)
  flushSync(() => {
    for (const read of readers) read()
  })
  commit()
}

/** Shows a time in the live view: at once, without waiting for anything. */
export function show(seconds: number): void {
  asked = true
  move(seconds)
  check()
  present(seconds)
}

/** Shows a time that was asked for, and resolves when all of it is on the page. */
export function seek(seconds: number): Promise<void> {
  asked = true
  return reach(seconds)
}

/** Shows second 0, which a page shows before the first seek. */
export const load = (): Promise<void> => reach(0)

async function reach(seconds: number): Promise<void> {
  move(seconds)
  await turn()
  commit()
  await settled()
  check()
  present(seconds)
}

/** Lets the work React has queued run: it is queued through a MessageChannel. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

/** Resolves when images are decoded, fonts loaded and nothing is suspended. */
export async function settled(): Promise<void> {
  for (;;) {
    const work: Promise<unknown>[] = [...waits]
    for (const stage of stages) {
      const pending = stage.pending()
      if (pending) work.push(pending)
    }
    for (const image of document.images) {
      if (!decoded.has(image) || !image.complete) work.push(decode(image))
    }
    if (document.fonts.status === 'loading') work.push(document.fonts.ready)
    if (work.length === 0) return
    await Promise.all(work)
    check()
    commit()
  }
}

async function decode(image: HTMLImageElement): Promise<void> {
  const source = image.currentSrc || image.src
  if (source !== '') {
    image.loading = 'eager'
    try {
      await image.decode()
    } catch {
      if (image.src !== '' && image.isConnected) fail(new Error(`image ${source} could not be loaded`))
    }
  }
  decoded.add(image)
}
