import { type Block, setText, type Setting } from './type'

/** A text that is set but does not move letter by letter: its lines, from the upper left corner of its room. */
export function Lines({ block, setting, fill, shown = 1 }: { block: Block; setting: Setting; fill: string; shown?: number }) {
  return (
    <g fontFamily={setting.family} fontWeight={setting.weight} fontSize={block.font} fill={fill} opacity={shown < 1 ? shown : undefined} direction={block.rtl ? 'rtl' : 'ltr'}>
      {block.lines.map((line, i) => (
        <text key={i} x={block.rtl ? line.x + line.width : line.x} y={line.y} letterSpacing={block.tracking ? block.tracking * block.font : undefined} style={{ whiteSpace: 'pre' }}>
          {line.text}
        </text>
      ))}
    </g>
  )
}

const blocks = new Map<string, Block>()

/** setText, once for each text and setting. */
export function blockOf(text: string, setting: Setting): Block {
  const key = JSON.stringify([text, setting])
  let block = blocks.get(key)
  if (!block) blocks.set(key, (block = setText(text, setting)))
  return block
}
