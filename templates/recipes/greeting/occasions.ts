/** What belongs to an occasion: what is said, by language, what flies through the air, and its colours. */
export interface Occasion {
  says: Record<string, string>
  air: string[]
  behind?: string
  palette?: string
}

export const occasions: Record<string, Occasion> = {
  party: { says: { en: "Let's celebrate!", de: 'Lasst uns feiern!', es: '¡A celebrar!', fr: 'C’est la fête !', pt: 'Vamos celebrar!', it: 'Festeggiamo!', ja: 'お祝いしましょう！' }, air: ['confetti'], behind: 'balloons' },
  birthday: { says: { en: 'Happy birthday!', de: 'Alles Gute zum Geburtstag!', es: '¡Feliz cumpleaños!', fr: 'Joyeux anniversaire !', pt: 'Feliz aniversário!', it: 'Buon compleanno!', ja: 'お誕生日おめでとう！' }, air: ['confetti'], behind: 'balloons' },
  newyear: { says: { en: 'Happy New Year!', de: 'Frohes neues Jahr!', es: '¡Feliz año nuevo!', fr: 'Bonne année !', pt: 'Feliz ano novo!', it: 'Buon anno!', ja: '明けましておめでとう！' }, air: ['sparks'] },
  lunar: { says: { en: 'Happy Lunar New Year!', de: 'Frohes chinesisches Neujahr!', es: '¡Feliz año nuevo chino!', fr: 'Bonne année lunaire !', pt: 'Feliz ano novo chinês!', it: 'Buon capodanno cinese!', ja: '春節おめでとう！' }, air: ['sparks'], palette: 'festival' },
  thanks: { says: { en: 'Thank you!', de: 'Danke!', es: '¡Gracias!', fr: 'Merci !', pt: 'Obrigado!', it: 'Grazie!', ja: 'ありがとう！' }, air: ['hearts'] },
  thanksgiving: { says: { en: 'Happy Thanksgiving!', de: 'Frohes Erntedankfest!', es: '¡Feliz Día de Acción de Gracias!', fr: 'Joyeux Thanksgiving !', pt: 'Feliz Dia de Ação de Graças!', it: 'Buon Ringraziamento!' }, air: ['hearts'] },
  congratulations: { says: { en: 'Congratulations!', de: 'Herzlichen Glückwunsch!', es: '¡Felicidades!', fr: 'Félicitations !', pt: 'Parabéns!', it: 'Congratulazioni!', ja: 'おめでとう！' }, air: ['confetti'] },
  graduation: { says: { en: 'Happy graduation!', de: 'Herzlichen Glückwunsch zum Abschluss!', es: '¡Feliz graduación!', fr: 'Félicitations pour le diplôme !', pt: 'Feliz formatura!', it: 'Buona laurea!', ja: 'ご卒業おめでとう！' }, air: ['confetti'] },
  retirement: { says: { en: 'Happy retirement!', de: 'Alles Gute zum Ruhestand!', es: '¡Feliz jubilación!', fr: 'Bonne retraite !', pt: 'Feliz aposentadoria!', it: 'Buona pensione!' }, air: ['confetti'] },
  christmas: { says: { en: 'Merry Christmas!', de: 'Frohe Weihnachten!', es: '¡Feliz Navidad!', fr: 'Joyeux Noël !', pt: 'Feliz Natal!', it: 'Buon Natale!', ja: 'メリークリスマス！' }, air: ['snow'], palette: 'christmas' },
  love: { says: { en: 'With love', de: 'In Liebe', es: 'Con amor', fr: 'Avec amour', pt: 'Com amor', it: 'Con amore', ja: '愛をこめて' }, air: ['hearts'], palette: 'love' },
  valentine: { says: { en: "Happy Valentine's Day!", de: 'Alles Liebe zum Valentinstag!', es: '¡Feliz San Valentín!', fr: 'Joyeuse Saint-Valentin !', pt: 'Feliz Dia dos Namorados!', it: 'Buon San Valentino!', ja: 'ハッピーバレンタイン！' }, air: ['hearts'], palette: 'love' },
  wedding: { says: { en: 'Happy wedding day!', de: 'Alles Gute zur Hochzeit!', es: '¡Feliz boda!', fr: 'Vive les mariés !', pt: 'Felicidades aos noivos!', it: 'Viva gli sposi!', ja: 'ご結婚おめでとう！' }, air: ['hearts'], palette: 'love' },
  anniversary: { says: { en: 'Happy anniversary!', de: 'Alles Gute zum Jahrestag!', es: '¡Feliz aniversario!', fr: 'Joyeux anniversaire de mariage !', pt: 'Feliz aniversário de casamento!', it: 'Buon anniversario!' }, air: ['hearts'], palette: 'love' },
  mother: { says: { en: "Happy Mother's Day!", de: 'Alles Liebe zum Muttertag!', es: '¡Feliz Día de la Madre!', fr: 'Bonne fête des mères !', pt: 'Feliz Dia das Mães!', it: 'Buona festa della mamma!', ja: 'お母さん、ありがとう！' }, air: ['hearts'], palette: 'love' },
  father: { says: { en: "Happy Father's Day!", de: 'Alles Gute zum Vatertag!', es: '¡Feliz Día del Padre!', fr: 'Bonne fête des pères !', pt: 'Feliz Dia dos Pais!', it: 'Buona festa del papà!', ja: 'お父さん、ありがとう！' }, air: ['confetti'] },
  women: { says: { en: "Happy Women's Day!", de: 'Alles Gute zum Frauentag!', es: '¡Feliz Día de la Mujer!', fr: 'Bonne journée des femmes !', pt: 'Feliz Dia da Mulher!', it: 'Buona festa della donna!' }, air: ['petals'], palette: 'spring' },
  welcome: { says: { en: 'Welcome!', de: 'Willkommen!', es: '¡Bienvenidos!', fr: 'Bienvenue !', pt: 'Bem-vindos!', it: 'Benvenuti!', ja: 'ようこそ！' }, air: ['confetti'] },
  festival: { says: { en: 'Happy holidays!', de: 'Frohe Festtage!', es: '¡Felices fiestas!', fr: 'Joyeuses fêtes !', pt: 'Boas festas!', it: 'Buone feste!' }, air: ['sparks'], palette: 'festival' },
  diwali: { says: { en: 'Happy Diwali!', es: '¡Feliz Diwali!', fr: 'Joyeux Diwali !', pt: 'Feliz Diwali!', it: 'Buon Diwali!' }, air: ['sparks'], palette: 'festival' },
  eid: { says: { en: 'Eid Mubarak!' }, air: ['sparks'], palette: 'festival' },
  ramadan: { says: { en: 'Ramadan Mubarak!' }, air: ['sparks'], palette: 'festival' },
  hanukkah: { says: { en: 'Happy Hanukkah!', de: 'Chanukka Sameach!', es: '¡Feliz Janucá!', fr: 'Joyeuse Hanoucca !', pt: 'Feliz Chanucá!', it: 'Felice Hanukkah!' }, air: ['sparks'], palette: 'festival' },
  nowruz: { says: { en: 'Happy Nowruz!' }, air: ['petals'], palette: 'spring' },
  holi: { says: { en: 'Happy Holi!' }, air: ['confetti'], palette: 'festival' },
  spring: { says: { en: 'Happy spring!', de: 'Schönen Frühling!', es: '¡Feliz primavera!', fr: 'Joyeux printemps !', pt: 'Feliz primavera!', it: 'Buona primavera!' }, air: ['bubbles'], behind: 'balloons', palette: 'spring' },
  easter: { says: { en: 'Happy Easter!', de: 'Frohe Ostern!', es: '¡Felices Pascuas!', fr: 'Joyeuses Pâques !', pt: 'Feliz Páscoa!', it: 'Buona Pasqua!', ja: 'ハッピーイースター！' }, air: ['bubbles'], behind: 'balloons', palette: 'spring' },
  halloween: { says: { en: 'Happy Halloween!', es: '¡Feliz Halloween!', fr: 'Joyeux Halloween !', pt: 'Feliz Halloween!', it: 'Buon Halloween!', ja: 'ハッピーハロウィン！' }, air: ['bubbles'], palette: 'halloween' },
  wishes: { says: { en: 'All the best!', de: 'Alles Gute!', es: '¡Mis mejores deseos!', fr: 'Tous mes vœux !', pt: 'Tudo de bom!', it: 'Tanti auguri!' }, air: ['hearts'] },
  getwell: { says: { en: 'Get well soon!', de: 'Gute Besserung!', es: '¡Que te mejores!', fr: 'Bon rétablissement !', pt: 'Melhoras!', it: 'Guarisci presto!', ja: 'お大事に！' }, air: ['hearts'] },
  luck: { says: { en: 'Good luck!', de: 'Viel Glück!', es: '¡Buena suerte!', fr: 'Bonne chance !', pt: 'Boa sorte!', it: 'Buona fortuna!', ja: 'がんばって！' }, air: ['hearts'] },
  farewell: { says: { en: 'Farewell!', de: 'Mach’s gut!', es: '¡Hasta pronto!', fr: 'À bientôt !', pt: 'Até breve!', it: 'A presto!', ja: 'さようなら！' }, air: ['hearts'] },
  sympathy: { says: { en: 'With deepest sympathy', de: 'Herzliches Beileid', es: 'Mi más sentido pésame', fr: 'Sincères condoléances', pt: 'Meus sentimentos', it: 'Sentite condoglianze', ja: 'お悔やみ申し上げます' }, air: [], palette: 'still' },
  baby: { says: { en: 'Welcome, little one!', de: 'Willkommen, kleiner Schatz!', es: '¡Bienvenido, bebé!', fr: 'Bienvenue, petit trésor !', pt: 'Bem-vindo, bebê!', it: 'Benvenuto, piccolo!', ja: 'ようこそ、赤ちゃん！' }, air: ['bubbles'], behind: 'balloons', palette: 'pastel' },
}

/** The greeting of an occasion in the language of a locale, with the name of whom it goes to: "Happy birthday, Anna!". */
export function said(day: Occasion, locale: string, to?: string): string {
  const language = locale.slice(0, 2)
  const text = day.says[language] ?? day.says.en!
  if (!to) return text
  return language === 'ja' && day.says.ja ? `${to}、${text}` : text.replace(/(\s?!)?$/, (end) => `, ${to}${end || '!'}`)
}
