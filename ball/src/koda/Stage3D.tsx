import { type CameraProps, createRoot, extend, flushSync, type ReconcilerRoot, type RenderProps, type RootState } from '@react-three/fiber'
import { type CSSProperties, type ReactNode, Suspense, useLayoutEffect, useRef } from 'react'
import * as THREE from 'three'
import { addStage, currentTime, fail } from './clock'
import { composition } from './hooks'

export interface Stage3DProps {
  children: ReactNode
  /** A perspective camera by default, at [0, 0, 5] with a field of view of 50°. */
  camera?: CameraProps
  orthographic?: boolean
  shadows?: RenderProps<HTMLCanvasElement>['shadows']
  /** No tone mapping. */
  flat?: boolean
  /** CSS colour behind the scene; transparent by default. */
  background?: string
  style?: CSSProperties
}

/**
 * A react-three-fiber scene that only the seek draws. It fills its parent. useFrame
 * runs once per seek with clock.elapsedTime at the seconds shown and a delta of one
 * frame, whatever was shown before.
 *
 * React contexts do not reach into it: put providers inside.
 */
export function Stage3D(props: Stage3DProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const stage = useRef<SceneRoot>(null)

  useLayoutEffect(() => {
    const scene = new SceneRoot(canvas.current!, props)
    stage.current = scene
    const remove = addStage(scene)
    const resize = () => scene.resize()
    window.addEventListener('resize', resize)
    return () => {
      window.removeEventListener('resize', resize)
      remove()
      scene.close()
      stage.current = null
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the renderer is made once
  }, [])
  useLayoutEffect(() => stage.current?.render(props.children))

  return (
    <canvas
      ref={canvas}
      style={{ position: 'absolute', inset: 0, width: '100%', height: '100%', display: 'block', background: props.background, ...props.style }}
    />
  )
}

class SceneRoot {
  private readonly root: ReconcilerRoot<HTMLCanvasElement>
  private state!: RootState
  private suspended = 0
  private wake: (() => void)[] = []

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly props: Stage3DProps,
  ) {
    extend(THREE as unknown as Parameters<typeof extend>[0])
    this.root = createRoot(canvas)
    this.configure()
  }

  private configure(): void {
    const { camera, orthographic, shadows, flat } = this.props
    const { clientWidth: width, clientHeight: height } = this.canvas
    void this.root.configure({
      gl: { antialias: true, alpha: true, powerPreference: 'high-performance' },
      frameloop: 'never',
      dpr: window.devicePixelRatio,
      size: { width, height, top: 0, left: 0 },
      camera: camera ?? { position: [0, 0, 5], fov: 50 },
      orthographic,
      shadows: shadows === true ? 'percentage' : shadows,
      flat,
    }).catch(fail)
  }

  resize(): void {
    this.configure()
    this.draw(currentTime())
  }

  render(children: ReactNode): void {
    flushSync(() => {
      const store = this.root.render(<Suspense fallback={<Suspended stage={this} />}>{children}</Suspense>)
      this.state = store.getState()
    })
  }

  commit(): void {
    flushSync(() => {})
  }

  pending(): Promise<void> | null {
    return this.suspended === 0 ? null : new Promise((resolve) => this.wake.push(resolve))
  }

  suspend(): () => void {
    this.suspended++
    return () => {
      if (--this.suspended > 0) return
      for (const wake of this.wake.splice(0)) wake()
    }
  }

  draw(seconds: number): void {
    const state = this.state.get()
    state.clock.elapsedTime = seconds - 1 / composition.fps // so that every delta is one frame
    state.advance(seconds, true)
  }

  close(): void {
    this.root.unmount()
  }
}

function Suspended({ stage }: { stage: SceneRoot }): null {
  useLayoutEffect(() => stage.suspend(), [stage])
  return null
}
