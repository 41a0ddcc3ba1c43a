import { box, project, sheet, time } from '../score.js'

const element = document.querySelector<HTMLElement>('#box')!
time.onValuesChange(({ s }) => (window as any).barcode.show(s))
box.onValuesChange(({ x, turn }) => {
  element.style.transform = `translate(${x}px, 80px) rotate(${turn}rad)`
})
project.ready.then(() => sheet.sequence.play())
