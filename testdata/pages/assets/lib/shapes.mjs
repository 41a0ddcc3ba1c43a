export const place = (element, x) => (element.style.transform = `translate(${x}px, 60px)`)
