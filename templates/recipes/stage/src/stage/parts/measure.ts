/**
 * About how wide a text is, in em, without a font: enough to choose a layout,
 * and the same in the score and on the page. Chinese, Japanese, Korean letters
 * and emoji are square.
 */
export function ems(text: string): number {
  let sum = 0
  for (const c of text) {
    if (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]|\p{Extended_Pictographic}/u.test(c)) sum += 1
    else if (/[\u0300-\u036f\u200b-\u200d\ufe0f]/.test(c)) continue
    else if (/[iljtfI.,:;'|! ()[\]]/.test(c)) sum += 0.3
    else if (/[mwMW@%&]/.test(c)) sum += 0.88
    else if (/[A-Z]/.test(c)) sum += 0.67
    else sum += 0.56
  }
  return sum
}

/** Lines that a text takes when each has room for so many em; a word is never broken. */
export function lines(text: string, room: number): number {
  let count = 1
  let used = 0
  for (const word of text.split(/\s+/)) {
    const width = ems(word)
    if (used > 0 && used + 0.3 + width > room) {
      count++
      used = width
    } else used += (used > 0 ? 0.3 : 0) + width
  }
  return count
}

/** The longest word of some texts, in em. */
export const longestWord = (texts: string[]): number => Math.max(0, ...texts.flatMap((t) => t.split(/\s+/).map(ems)))

/** A text that has room for so many lines of so many em; what does not fit is cut with an ellipsis. */
export function clipped(text: string, room: number, count: number): string {
  if (lines(text, room) <= count && longestWord([text]) <= room * count) return text
  const letters = Array.from(text)
  let end = letters.length
  while (end > 1 && (lines(letters.slice(0, end).join('') + '…', room) > count || ems(letters.slice(0, end).join('')) > room * count * 0.94)) end--
  return letters.slice(0, end).join('').trimEnd() + '…'
}
