import given from '../brand.json'

/** What a person has fixed for all their videos: src/brand.json. All of it may be left out. */
export interface Brand {
  colors: { background?: string; text?: string; accent?: string; series?: string[] }
  /** Families; `files` names those that come with the project, by family. */
  fonts: { display?: string; text?: string; mono?: string; files: Record<string, string> }
  logo?: string
}

type Bag = Record<string, unknown>

const bag = (value: unknown): Bag => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : {})
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

function colour(value: unknown): string | undefined {
  const hex = /^#(?:[0-9a-f]{3}){1,2}$/i.exec(String(value))?.[0]
  return hex?.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex
}

/** A brand without what is of no use: a colour that nobody can read costs no video. Koda says when it builds the page what is left out. */
export function branded(file: unknown): Brand {
  const { colors, fonts, logo } = bag(file)
  const [c, f] = [bag(colors), bag(fonts)]
  const series = (Array.isArray(c.series) ? c.series : []).map(colour).filter((one) => one !== undefined)
  const files = Object.entries(bag(f.files)).filter((one): one is [string, string] => text(one[1]) !== undefined)
  return {
    colors: { background: colour(c.background), text: colour(c.text), accent: colour(c.accent), ...(series.length > 0 && { series }) },
    fonts: { display: text(f.display), text: text(f.text), mono: text(f.mono), files: Object.fromEntries(files) },
    logo: text(logo),
  }
}

export const brand = branded(given)
