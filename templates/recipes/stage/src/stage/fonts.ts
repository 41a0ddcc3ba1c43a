import '@fontsource-variable/jetbrains-mono'
import '@fontsource-variable/source-serif-4'
import { waitFor } from '../koda'
import { brand } from './brand'

/** Families of the person's own, from files of the project. */
for (const [family, file] of Object.entries(brand.fonts.files)) {
  const face = new FontFace(family, `url(${JSON.stringify(file.replace(/^public\//, '/'))})`, { weight: '100 900' })
  document.fonts.add(face)
  void waitFor(face.load())
}
