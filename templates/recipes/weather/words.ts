/** Words for the weather, in the languages that koda reads: lower case, with commas between. */

/** Each picture with its words. The longest word that is there counts: "partly cloudy" is not "cloudy". */
const said: [string, string][] = [
  ['sun', 'sunny, sun, sunshine, clear, clear sky, clear skies, fair, fine, mostly clear, hot, warm, heat, heatwave, sonnig, sonne, sonnenschein, klar, wolkenlos, heiter, heiß, hitze, warm, soleado, soleada, sol, despejado, cielo despejado, calor, caluroso, ensoleillé, ensoleillée, soleil, grand soleil, dégagé, ciel dégagé, beau temps, chaud, canicule, ensolarado, ensolarada, soalheiro, céu limpo, limpo, quente, soleggiato, soleggiata, sole, sereno, cielo sereno, caldo, afoso, 晴れ, 晴, 快晴, はれ, 猛暑, ☀, 🌞'],
  ['moon', 'clear night, klare nacht, sternenklar, noche despejada, nuit claire, noite limpa, notte serena, 🌙'],
  ['cloud-sun', 'partly cloudy, partly sunny, mostly sunny, party cloudy, sunny intervals, sunny spells, scattered clouds, few clouds, sun and clouds, sun and cloud, mix of sun and clouds, teilweise bewölkt, leicht bewölkt, teils bewölkt, teils sonnig, heiter bis wolkig, sonne und wolken, überwiegend sonnig, meist sonnig, wechselnd bewölkt, wechselhaft, aufgelockert, parcialmente nublado, parcialmente soleado, intervalos nubosos, nubes y claros, poco nuboso, sol y nubes, mayormente soleado, partiellement nuageux, peu nuageux, éclaircies, belles éclaircies, soleil et nuages, nuages et éclaircies, plutôt ensoleillé, sol e nuvens, sol entre nuvens, pouco nublado, predominantemente ensolarado, parzialmente nuvoloso, poco nuvoloso, sole e nuvole, nubi sparse, variabile, prevalentemente soleggiato, 薄曇り, 薄曇, ⛅, 🌤, 🌥'],
  ['cloudy', 'cloudy, clouds, cloud, overcast, mostly cloudy, grey, gray, dull, bewölkt, wolkig, bedeckt, wolken, trüb, stark bewölkt, nublado, nubes, nuboso, cubierto, muy nuboso, nuageux, nuages, couvert, très nuageux, nuvens, encoberto, muito nublado, nuvoloso, nuvole, coperto, molto nuvoloso, 曇り, くもり, 曇, ☁'],
  ['cloud-drizzle', 'drizzle, drizzly, light rain, nieselregen, niesel, leichter regen, llovizna, lluvia ligera, lluvia débil, bruine, crachin, pluie fine, pluie légère, garoa, chuvisco, chuva fraca, chuva leve, pioggerella, pioviggine, pioggia leggera, pioggia debole, 小雨, 霧雨'],
  ['cloud-rain', 'rain, rainy, raining, wet, downpour, pouring, heavy rain, regen, regnerisch, regnet, starkregen, dauerregen, starker regen, lluvia, lluvias, lluvioso, lluviosa, lluvia fuerte, pluie, pluies, pluvieux, forte pluie, pluie forte, chuva, chuvas, chuvoso, chuvosa, chuva forte, pioggia, piogge, piovoso, piovosa, pioggia forte, 雨, 大雨, ☔, 🌧'],
  ['cloud-sun-rain', 'showers, shower, rain showers, light showers, scattered showers, sunny with showers, schauer, regenschauer, vereinzelte schauer, chubascos, chubasco, chaparrones, averses, averse, aguaceiros, pancadas de chuva, rovesci, acquazzoni, にわか雨, 🌦'],
  ['cloud-lightning', 'thunderstorm, thunderstorms, thunder, thundery, storm, storms, stormy, t-storms, lightning, thundershowers, gewitter, gewittrig, unwetter, tormenta, tormentas, tormentoso, orage, orages, orageux, trovoada, trovoadas, tempestade, temporale, temporali, tempesta, 雷雨, 雷, ⛈, 🌩'],
  ['cloud-snow', 'snow, snowy, snowing, snowfall, snow showers, flurries, blizzard, light snow, heavy snow, schnee, schneefall, schneit, verschneit, schneeschauer, nieve, nevado, nevadas, nevada, neige, neigeux, chutes de neige, averses de neige, neve, nevoso, nevasca, nevicate, nevicata, 雪, 大雪, 吹雪, 🌨'],
  ['cloud-hail', 'hail, sleet, freezing rain, hagel, graupel, schneeregen, granizo, aguanieve, grêle, grésil, saraiva, grandine, nevischio, みぞれ, ひょう, 雹'],
  ['cloud-fog', 'fog, foggy, mist, misty, haze, hazy, smog, nebel, neblig, nebelig, dunst, dunstig, diesig, niebla, neblina, bruma, brumoso, brouillard, brume, brumeux, nevoeiro, névoa, nebbia, nebbioso, foschia, 霧, もや, 🌫'],
  ['wind', 'wind, windy, breezy, gusty, gale, gales, blustery, windig, stürmisch, sturm, böig, ventoso, ventosa, viento, vientos, venteux, vent, vent fort, tempête, vento, ventania, 強風, 暴風, 台風, 風, 🌬, 💨'],
  ['snowflake', 'cold, freezing, frost, frosty, icy, ice, kalt, eisig, frostig, glatteis, frío, helada, heladas, froid, gel, gelées, verglas, frio, geada, freddo, gelo, gelate, 寒い, ❄'],
]

const letter = /[\p{L}\p{N}]/u
/** Written without blanks between words, or no word at all. */
const close = /[^\u0000-\u02ff]/

interface Word {
  word: string
  sky: string
}

const words: Word[] = said.flatMap(([sky, all]) => all.split(', ').map((word) => ({ word, sky }))).sort((a, b) => b.word.length - a.word.length)

export interface Hit {
  from: number
  to: number
  sky: string
}

/** Where the words for the weather stand in a text, from left to right. */
export function skiesIn(text: string, from = 0): Hit[] {
  const lower = text.toLowerCase()
  const hits: Hit[] = []
  for (const { word, sky } of words) {
    for (let at = lower.indexOf(word, from); at >= 0; at = lower.indexOf(word, at + 1)) {
      const to = at + word.length
      const parted = close.test(word) || (!letter.test(lower[at - 1] ?? ' ') && !letter.test(lower[to] ?? ' '))
      if (parted && hits.every((hit) => to <= hit.from || at >= hit.to)) hits.push({ from: at, to, sky })
    }
  }
  return hits.sort((a, b) => a.from - b.from)
}

/** Of several words the one that matters most is drawn; sun beside clouds or rain is drawn with them. */
const order = ['cloud-lightning', 'cloud-hail', 'cloud-snow', 'cloud-rain', 'cloud-sun-rain', 'cloud-drizzle', 'cloud-fog', 'cloud-sun', 'cloudy', 'moon', 'sun', 'wind', 'snowflake']

export function skyOf(hits: Hit[]): string | undefined {
  const all = order.filter((sky) => hits.some((hit) => hit.sky === sky))
  const [first] = all
  if (all.includes('sun') && first === 'cloudy') return 'cloud-sun'
  return all.includes('sun') && (first === 'cloud-rain' || first === 'cloud-drizzle') ? 'cloud-sun-rain' : first
}

/** Pictures that people type are drawn and not written. */
export const emoji = /[☀🌞🌙⛅🌤🌥☁☔🌧🌦⛈🌩🌨🌫🌬💨❄\ufe0f]/gu

const list = (text: string) => text.split(', ')

/** What stands before or between the words for the weather, and belongs to them. */
export const around = new Set(list('light, heavy, mostly, partly, scattered, isolated, some, few, very, slightly, patchy, strong, moderate, mild, chance, of, chances, a, and, &, with, then, turning, later, early, occasional, intermittent, possible, likely, brief, wet, cool, warm, hot, cold, to, leicht, leichter, leichte, stark, starker, starke, meist, teils, überwiegend, etwas, viel, kaum, und, mit, dann, später, bis, mäßig, vereinzelt, vereinzelte, gelegentlich, ligera, fuerte, débil, muy, poco, mayormente, parcialmente, y, con, luego, algo, légère, forte, faible, très, peu, plutôt, et, avec, puis, quelques, leve, fraca, muito, pouco, e, com, depois, leggera, debole, molto, piuttosto, ed, poi, のち, 時々, ときどき, 後, 一時, または'))

/** What is nobody's name at the ends of a text. */
export const noise = new Set(list("and, with, it's, it, is, its, be, will, the, a, an, of, temperature, temperatures, temp, temps, around, about, currently, expect, expected, und, mit, bei, es, ist, wird, temperatur, temperaturen, etwa, rund, y, con, hace, hay, temperatura, temperaturas, unos, et, avec, il, fait, température, environ, e, com, está, faz, cerca, ed, circa, degrees, の, は, で, が, と, 気温, 温度, 天気, &, -, –, —, :, ・, ・"))

/** What leads to a place. */
export const leading = /^(?:in|for|at|on|near|für|nach|am|an|auf|en|à|au|aux|pour|em|no|na|para|a|ad|nel|per|del|de|da|do|di|von)\s+(?=\S)/i

/** Days and times that say when, not where. */
const when = 'in the morning, in the afternoon, in the evening, at night, at noon, overnight, am morgen, am nachmittag, am abend, in der nacht, por la mañana, por la tarde, por la noche, le matin, dans l\'après-midi, en soirée, de manhã, à tarde, à noite, al mattino, nel pomeriggio, in serata, on monday, on tuesday, on wednesday, on thursday, on friday, on saturday, on sunday, today, tonight, tomorrow, now, right now, this morning, this afternoon, this evening, this week, this weekend, heute, heute abend, morgen, jetzt, aktuell, diese woche, am wochenende, hoy, esta noche, mañana, ahora, esta semana, aujourd’hui, aujourd\'hui, ce soir, demain, maintenant, cette semaine, hoje, hoje à noite, amanhã, agora, oggi, stasera, domani, adesso, ora, questa settimana, 今日, 明日, 明後日, 今, 現在, 今夜, 今週'
const whens = new Set(list(when))
export const isWhen = (text: string): boolean => whens.has(text.toLowerCase())

/** Days of the week, with their short names. */
const days = 'monday|mon|tuesday|tues|tue|wednesday|wed|thursday|thurs|thur|thu|friday|fri|saturday|sat|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|mo|di|mi|do|fr|sa|so|lunes|martes|miércoles|miercoles|jueves|viernes|sábado|sabado|domingo|lun|mar|mié|mie|jue|vie|sáb|sab|dom|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|mer|jeu|ven|sam|dim|segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|segunda|terça|quarta|quinta|sexta|seg|ter|qua|qui|sex|lunedì|lunedi|martedì|martedi|mercoledì|mercoledi|giovedì|giovedi|venerdì|venerdi|sabato|domenica|gio'
const when2 = 'today|tonight|tomorrow|heute|morgen|übermorgen|hoy|mañana|aujourd[’\']hui|demain|hoje|amanhã|oggi|domani'

/** Where a day or an hour of several begins: "Mon 12° rain Tue 14°". "Sun" is one beside others. */
export const begins = new RegExp(`(^|[^\\p{L}\\p{N}])((?:${days}|${when2})(?![\\p{L}])|\\d{1,2}(?::\\d\\d)?\\s?(?:am|pm|uhr)(?![\\p{L}]))|[月火水木金土日]曜日?|今日|明日|明後日`, 'giu')
export const sunday = /(^|[^\p{L}\p{N}])(Sun)(?=\.?:?\s+\S)/gu

/** What is measured besides the temperature. */
const facts = 'wind speed|winds?|gusts?|humidity|pressure|visibility|precipitation|precip|chance of rain|chance of snow|rain chance|uv index|uv|dew point|air quality|aqi|pollen|cloud cover|windgeschwindigkeit|böen|luftfeuchtigkeit|luftfeuchte|feuchtigkeit|luftdruck|sichtweite|sicht|niederschlag|regenwahrscheinlichkeit|regenrisiko|uv-index|viento|vientos|rachas|humedad|presión|visibilidad|precipitaciones|precipitación|probabilidad de lluvia|índice uv|vents?|rafales|humidité|pression|visibilité|précipitations|risque de pluie|indice uv|ventos?|rajadas|umidade|humidade|pressão|visibilidade|precipitação|chance de chuva|probabilidade de chuva|vento|venti|raffiche|umidità|pressione|visibilità|precipitazioni|probabilità di pioggia|風速|風|湿度|気圧|降水確率|降水量|視界'
/** They are the sky as well, where a word stands before them: "light rain 60%". */
const falls = 'rain|snow|regen|schnee|lluvia|nieve|pluie|neige|chuva|neve|pioggia'
const strong = 'light|heavy|moderate|freezing|leichter|leichte|starker|starke|forte|faible'
const units = 'km\\/h|kmh|kph|mph|m\\/s|knots|knoten|kts|kt|bft|%|mm|cm|hpa|mbar|km|in(?![\\p{L}])|メートル|ミリ|パーセント'
const number = '\\d+(?:[.,]\\d+)?'

/** Facts with their words before or behind: "wind 12 km/h", "60% humidity", "UV index 5", "feels like 29°", "sunrise 6:12". */
export const measured = new RegExp(
  [
    `(?:(?:(?<!(?:${strong})\\s)(?:${falls})|${facts})(?![\\p{L}])\\s*(?::|of|von|de|di|は)?\\s*)?(?:(?<!\\p{L})[nsewo]{1,3}\\s+)?${number}(?:\\s?[-–]\\s?${number})?\\s?(?:${units})(?![\\p{L}])(?:\\s+(?:of\\s+)?(?:${facts})(?![\\p{L}])|\\s+(?:from|aus|del|du|de|da|dal)\\s+(?:the\\s+)?\\p{L}+)?`,
    `(?:uv index|uv-index|indice uv|índice uv|uv|aqi|air quality|dew point|pollen)\\s*:?\\s*${number}°?`,
    `(?:feels like|feeling like|real feel|gefühlt(?:e)?(?: wie)?|sensación(?: térmica)?(?: de)?|ressenti(?:e)?|sensação(?: térmica)?(?: de)?|percepita|percepiti|体感(?:温度)?)\\s*:?\\s*[-−]?\\d+\\s?(?:°\\s?[CF]?|℃|degrees|度)?`,
    `(?:sunrise|sunset|sonnenaufgang|sonnenuntergang|amanecer|atardecer|lever du soleil|coucher du soleil|nascer do sol|pôr do sol|alba|tramonto|日の出|日の入り?)\\s*(?::|at|um|a las|à|às|alle)?\\s*\\d{1,2}[:.h]\\d\\d(?:\\s?(?:am|pm|uhr))?`,
  ].join('|'),
  'giu',
)

const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|okt|dez|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|novembre|dicembre'
/** What says that a number behind it, or before it, is no temperature. */
export const counted = new RegExp(`(?:^|[^\\p{L}])(?:day|tag|día|jour|dia|giorno|week|woche|${months})\\.?\\s*$|[/:.]$`, 'iu')
export const dated = new RegExp(`^(?:\\s?(?:am|pm|uhr|h|st|nd|rd|th|de|d[’']|時|日|月|年|:)(?![\\p{L}])|[:./]\\d|\\.?\\s?(?:${months})(?![\\p{L}])|時|日|月)`, 'iu')
