import type { Size } from '../layout'
import { lookFor } from '../own'
import type { PartFace } from '../part'
import type { Part } from '../story'

/** Letters that are to be larger may be as large as the first ones. */
const room = <T extends Size>(part: Part, size: T): T => (size.cap && part.own?.size > 1 ? { ...size, cap: size.cap * part.own.size } : size)

/** A kind whose parts may have a colour and a size of their own. */
export const single = ({ draw: Draw, carry, measure, font, lettering, need, most }: PartFace): PartFace => ({
  draw: (props) => <Draw {...props} look={lookFor(props.part, props.look)} box={room(props.part, props.box)} />,
  ...(carry && { carry: (old, now, p) => carry({ ...old, look: lookFor(old.part, old.look) }, { ...now, look: lookFor(now.part, now.look), box: room(now.part, now.box) }, p) }),
  ...(measure && { measure: (part, look, size, align) => measure(part, lookFor(part, look), room(part, size), align) }),
  ...(font && { font: (part, look, size, align) => font(part, lookFor(part, look), room(part, size), align) }),
  ...(lettering && { lettering: (one) => lettering({ ...one, look: lookFor(one.part, one.look), box: room(one.part, one.box) }) }),
  ...(need && { need: (part, look, size) => need(part, lookFor(part, look), size) }),
  ...(most && { most: (part, look, size) => most(part, lookFor(part, look), size) }),
})
