/** A number from 0 to 1 that belongs to a part's id and an index: the same in every frame, on every machine. */
export function chance(id: string, index: number): number {
  let h = 2166136261 ^ index
  for (let i = 0; i < id.length; i++) h = Math.imul(h ^ id.charCodeAt(i), 16777619)
  h = Math.imul(h ^ (h >>> 16), 2246822507)
  h = Math.imul(h ^ (h >>> 13), 3266489909)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}
