import { blockOf, Lines } from '../Lines'
import { clamp, going } from '../motion'
import { Panel } from '../Panel'
import type { PartFace, PartProps } from '../part'
import type { Setting } from '../type'

/** What somebody did, and a name of two words or more: "Director Anna Berg". */
const cast = /^(\p{Lu}\p{Ll}+) (\p{Lu}[\p{L}'.-]+(?: \p{Lu}[\p{L}'.-]*)+)$/u

/** Lines that roll up over the frame, as at the end of a film: { title, items, lasts }. Of "Director: Anna Berg" the first part stands small above the second. */
function Roll({ part, v, look, box, time }: PartProps) {
  const width = Math.min(box.w * 0.92, 130)
  const large = Math.min(8, width / 11) * look.size
  const setting = (font: number, weight: number): Setting => ({ family: look.face.text, weight, tracking: 0, line: 1.2, width, height: font * 1.2 * 4, max: font, min: Math.max(font * 0.7, 1), lines: 4, align: 'center' })
  const [name, role, head] = [setting(large, look.style === 'cinematic' ? 450 : 600), setting(large * 0.58, 450), { ...setting(large * 1.35, look.face.weight), family: look.face.display }]
  let y = 0
  const rows: { y: number; text: string; setting: Setting; fill: string }[] = []
  const add = (text: string, of: Setting, fill: string, gap: number) => {
    rows.push({ y, text, setting: of, fill })
    y += blockOf(text, of).height + gap
  }
  if (part.title) add(part.title, head, look.accentInk, large * 1.5)
  const items = part.items as string[]
  const split = items.filter((item) => cast.test(item)).length * 2 >= items.length && items.length > 1
  for (const item of items) {
    const [, before, behind] = /^([^:]{1,40}?)\s*(?::| [–—-] )\s*(\S.*)$/.exec(item) ?? (split ? cast.exec(item) : null) ?? []
    if (before) add(before, role, look.soft, large * 0.1)
    add(behind ?? item, name, look.ink, large * (before ? 1.1 : 0.7))
  }
  const last = rows[rows.length - 1]
  // At the end the last line stands in the middle, or a little above: no line is cut by the upper edge.
  const middle = box.h / 2 - (last ? last.y + blockOf(last.text, last.setting).height / 2 : 0)
  const cut = rows.find((row) => middle + row.y < box.h * 0.12 && middle + row.y + blockOf(row.text, row.setting).height > 0)
  const end = cut ? middle - (middle + cut.y + blockOf(cut.text, cut.setting).height) : middle
  const begin = box.h * 0.72
  const u = clamp(time / Math.max((part.lasts ?? 6) - 0.9, 0.5))
  const at = begin + (end - begin) * (u < 0.9 ? u : 0.9 + 0.1 * (1 - (1 - (u - 0.9) / 0.1) ** 2))
  return (
    <Panel box={box} opacity={(1 - going(look, v.leave ?? 0)) * clamp(v.enter! * 3)}>
      {rows.map((row, i) => {
        const block = blockOf(row.text, row.setting)
        const top = at + row.y
        if (top < -block.height || top > box.h) return null
        const edge = clamp(Math.min((top + block.height) / (box.h * 0.12), (box.h - top) / (box.h * 0.12)))
        return (
          <g key={i} transform={`translate(${(box.w - width) / 2} ${top})`}>
            <Lines block={block} setting={row.setting} fill={row.fill} shown={edge} />
          </g>
        )
      })}
    </Panel>
  )
}

export const roll: PartFace = { draw: Roll }
