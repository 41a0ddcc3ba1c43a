import { createRafDriver, type IProject, type ISheet, type ISheetObject, type UnknownShorthandCompoundProps } from '@theatre/core'
import { useLayoutEffect, useSyncExternalStore } from 'react'
import { onApply, currentTime, onDrive, subscribe } from './clock'

/**
 * The driver of everything that listens to Theatre. It ticks once per seek and
 * never by the wall clock. Code that calls onChange or onValuesChange itself
 * passes it as the last argument.
 */
export const rafDriver = createRafDriver({ name: 'koda' })

export interface Timing {
  /** Seconds of the animation at which the sheet's sequence is at 0. */
  start: number
  /** Seconds of the animation at which the sheet stands still. */
  end: number
}

const sheets = new Map<ISheet, Timing | undefined>()
const projects = new Set<IProject>()

/**
 * Takes the exports of src/theatre/project.ts: waits for every project and drives
 * every sheet, also inside exported arrays and objects. A sheet whose id is a key
 * of the export SEQUENCE_TIMINGS runs from its start there, any other sheet from 0.
 */
export function adopt(module: Record<string, unknown>): void {
  const timings = (module.SEQUENCE_TIMINGS ?? {}) as Record<string, Timing | undefined>
  const visit = (value: unknown, depth: number): void => {
    if (value === null || typeof value !== 'object') return
    switch ((value as { type?: unknown }).type) {
      case 'Theatre_Project_PublicAPI':
        projects.add(value as IProject)
        return
      case 'Theatre_Sheet_PublicAPI': {
        const sheet = value as ISheet
        sheets.set(sheet, timings[sheet.address.sheetId])
        projects.add(sheet.project)
        return
      }
      case 'Theatre_SheetObject_PublicAPI':
        visit((value as ISheetObject).sheet, depth)
        return
    }
    if (depth < 2) for (const inner of Object.values(value)) visit(inner, depth + 1)
  }
  for (const value of Object.values(module)) visit(value, 0)
  onDrive(drive)
}

/** Resolves when every project's state is in. */
export const theatreReady = (): Promise<unknown> => Promise.all([...projects].map((project) => project.ready))

/** Puts every sheet at a time of the animation. */
export function drive(seconds: number): void {
  for (const [sheet, timing] of sheets) {
    sheet.sequence.position = timing ? Math.min(Math.max(seconds - timing.start, 0), timing.end - timing.start) : Math.max(seconds, 0)
  }
  rafDriver.tick(seconds * 1000)
}

const warm = new WeakSet<ISheetObject>()

/**
 * The values of a sheet object at the time that is shown. The same object is
 * returned as long as no value changes.
 */
export function valuesOf<P extends UnknownShorthandCompoundProps>(object: ISheetObject<P>): ISheetObject<P>['value'] {
  if (!warm.has(object as unknown as ISheetObject)) {
    warm.add(object as unknown as ISheetObject)
    object.onValuesChange(() => {}, rafDriver) // keeps the values computed incrementally
  }
  return object.value
}

/** The values of a sheet object at the time that is shown; re-renders when a value changes. */
export function useSheetObject<P extends UnknownShorthandCompoundProps>(object: ISheetObject<P>): ISheetObject<P>['value'] {
  return useSyncExternalStore(subscribe, () => valuesOf(object))
}

/**
 * Calls apply with the values of a sheet object at every seek, without rendering
 * React: the fast way to move a DOM node or a mesh through a ref. apply must set
 * everything it sets from the values alone.
 */
export function useSheetValues<P extends UnknownShorthandCompoundProps>(
  object: ISheetObject<P>,
  apply: (values: ISheetObject<P>['value'], seconds: number) => void,
): void {
  useLayoutEffect(() => {
    const run = (seconds: number) => apply(valuesOf(object), seconds)
    run(currentTime())
    return onApply(run)
  })
}
