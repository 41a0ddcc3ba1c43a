/** What people call the planets, by language. */
const names: Record<string, string[]> = {
  en: ['Mercury', 'Venus', 'Earth', 'Mars', 'Jupiter', 'Saturn', 'Uranus', 'Neptune'],
  de: ['Merkur', 'Venus', 'Erde', 'Mars', 'Jupiter', 'Saturn', 'Uranus', 'Neptun'],
  es: ['Mercurio', 'Venus', 'Tierra', 'Marte', 'Júpiter', 'Saturno', 'Urano', 'Neptuno'],
  fr: ['Mercure', 'Vénus', 'Terre', 'Mars', 'Jupiter', 'Saturne', 'Uranus', 'Neptune'],
  pt: ['Mercúrio', 'Vênus', 'Terra', 'Marte', 'Júpiter', 'Saturno', 'Urano', 'Netuno'],
  it: ['Mercurio', 'Venere', 'Terra', 'Marte', 'Giove', 'Saturno', 'Urano', 'Nettuno'],
  ja: ['水星', '金星', '地球', '火星', '木星', '土星', '天王星', '海王星'],
}

/** What people call the sun and the moon, by language. */
export const lights: Record<string, [string, string]> = { en: ['Sun', 'Moon'], de: ['Sonne', 'Mond'], es: ['Sol', 'Luna'], fr: ['Soleil', 'Lune'], pt: ['Sol', 'Lua'], it: ['Sole', 'Luna'], ja: ['太陽', '月'] }

/** A body with its name in a language. */
export function called(body: { label?: string }, language: string): { label?: string } {
  const label = names[language]?.[names.en!.indexOf(body.label ?? '')]
  return label ? { ...body, label } : body
}

/** The planets of our sun: sizes and years are those of the Earth. */
export const solar = [
  { label: 'Mercury', color: '#b5a89b', size: 0.38, period: 0.24 },
  { label: 'Venus', color: '#e8c07a', size: 0.95, period: 0.62 },
  { label: 'Earth', color: '#4f9bea', size: 1, period: 1, moons: 1 },
  { label: 'Mars', color: '#dd6a45', size: 0.53, period: 1.9, moons: 2 },
  { label: 'Jupiter', color: '#dcae7f', size: 11, period: 11.9, moons: 4 },
  { label: 'Saturn', color: '#e7cf97', size: 9.4, period: 29, ring: 1, moons: 5 },
  { label: 'Uranus', color: '#93dbdd', size: 4, period: 84, moons: 4 },
  { label: 'Neptune', color: '#5578ea', size: 3.9, period: 165, moons: 1 },
]

/** The earth where it is the middle, and the moon that goes round it. */
export const earth = { label: 'Earth', color: solar[2]!.color }
export const luna = { color: '#cfccc4', size: 0.27, period: 1 }
