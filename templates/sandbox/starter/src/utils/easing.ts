/**
 * Easing functions: t from 0 to 1 in, progress out. All start at 0 and end at 1, exactly;
 * Back and Elastic go beyond on the way.
 *
 * The formulas are Robert Penner's ("Programming Macromedia Flash MX", 2002,
 * chapter 7), in the form published at easings.net; cubicBezier is the timing
 * function of CSS Easing Functions Level 1.
 */
export type Easing = (t: number) => number

const { PI, cos, pow, sin, sqrt } = Math

const BACK = 1.70158 // overshoots by a tenth
const ELASTIC_PERIOD = (2 * PI) / 3
const ELASTIC_IN_OUT_PERIOD = (2 * PI) / 4.5

export const linear: Easing = (t) => t

export const easeInSine: Easing = (t) => (t === 1 ? 1 : 1 - cos((t * PI) / 2))
export const easeOutSine: Easing = (t) => sin((t * PI) / 2)
export const easeInOutSine: Easing = (t) => (1 - cos(PI * t)) / 2

const powerIn = (n: number): Easing => (t) => pow(t, n)
const powerOut = (n: number): Easing => (t) => 1 - pow(1 - t, n)
const powerInOut = (n: number): Easing => (t) => (t < 0.5 ? pow(2 * t, n) / 2 : 1 - pow(2 - 2 * t, n) / 2)

export const easeInQuad = powerIn(2)
export const easeOutQuad = powerOut(2)
export const easeInOutQuad = powerInOut(2)
export const easeInCubic = powerIn(3)
export const easeOutCubic = powerOut(3)
export const easeInOutCubic = powerInOut(3)
export const easeInQuart = powerIn(4)
export const easeOutQuart = powerOut(4)
export const easeInOutQuart = powerInOut(4)
export const easeInQuint = powerIn(5)
export const easeOutQuint = powerOut(5)
export const easeInOutQuint = powerInOut(5)

export const easeInExpo: Easing = (t) => (t === 0 ? 0 : pow(2, 10 * t - 10))
export const easeOutExpo: Easing = (t) => (t === 1 ? 1 : 1 - pow(2, -10 * t))
export const easeInOutExpo: Easing = (t) =>
  t === 0 || t === 1 ? t : t < 0.5 ? pow(2, 20 * t - 10) / 2 : 1 - pow(2, 10 - 20 * t) / 2

export const easeInCirc: Easing = (t) => 1 - sqrt(1 - t * t)
export const easeOutCirc: Easing = (t) => sqrt(1 - pow(t - 1, 2))
export const easeInOutCirc: Easing = (t) =>
  t < 0.5 ? (1 - sqrt(1 - pow(2 * t, 2))) / 2 : (1 + sqrt(1 - pow(2 - 2 * t, 2))) / 2

/** Back with a chosen overshoot; 1.70158 goes a tenth beyond. */
export const backIn = (overshoot = BACK): Easing => (t) => (t === 1 ? 1 : (overshoot + 1) * t * t * t - overshoot * t * t)
export const backOut = (overshoot = BACK): Easing => (t) =>
  t === 0 ? 0 : 1 + (overshoot + 1) * pow(t - 1, 3) + overshoot * pow(t - 1, 2)
export const easeInBack = backIn()
export const easeOutBack = backOut()
export const easeInOutBack: Easing = (t) => {
  const c = BACK * 1.525
  return t < 0.5 ? (pow(2 * t, 2) * ((c + 1) * 2 * t - c)) / 2 : (pow(2 * t - 2, 2) * ((c + 1) * (2 * t - 2) + c) + 2) / 2
}

export const easeInElastic: Easing = (t) =>
  t === 0 || t === 1 ? t : -pow(2, 10 * t - 10) * sin((10 * t - 10.75) * ELASTIC_PERIOD)
export const easeOutElastic: Easing = (t) =>
  t === 0 || t === 1 ? t : pow(2, -10 * t) * sin((10 * t - 0.75) * ELASTIC_PERIOD) + 1
export const easeInOutElastic: Easing = (t) =>
  t === 0 || t === 1
    ? t
    : t < 0.5
      ? -(pow(2, 20 * t - 10) * sin((20 * t - 11.125) * ELASTIC_IN_OUT_PERIOD)) / 2
      : (pow(2, 10 - 20 * t) * sin((20 * t - 11.125) * ELASTIC_IN_OUT_PERIOD)) / 2 + 1

export const easeOutBounce: Easing = (t) => {
  const n = 7.5625
  const d = 2.75
  if (t < 1 / d) return n * t * t
  if (t < 2 / d) return n * pow(t - 1.5 / d, 2) + 0.75
  if (t < 2.5 / d) return n * pow(t - 2.25 / d, 2) + 0.9375
  return n * pow(t - 2.625 / d, 2) + 0.984375
}
export const easeInBounce: Easing = (t) => 1 - easeOutBounce(1 - t)
export const easeInOutBounce: Easing = (t) => (t < 0.5 ? (1 - easeOutBounce(1 - 2 * t)) / 2 : (1 + easeOutBounce(2 * t - 1)) / 2)

/** The curve through (0,0) and (1,1) with control points (x1,y1) and (x2,y2); x1 and x2 lie in 0…1. */
export function cubicBezier(x1: number, y1: number, x2: number, y2: number): Easing {
  const at = (a: number, b: number, s: number) => ((1 - 3 * b + 3 * a) * s + (3 * b - 6 * a)) * s * s + 3 * a * s
  return (t) => {
    if (t <= 0 || t >= 1) return t <= 0 ? 0 : 1
    let low = 0
    let high = 1
    for (let i = 0; i < 50; i++) {
      const s = (low + high) / 2
      if (at(x1, x2, s) < t) low = s
      else high = s
    }
    return at(y1, y2, (low + high) / 2)
  }
}

export const clamp = (value: number, min = 0, max = 1): number => Math.min(Math.max(value, min), max)
export const mix = (from: number, to: number, t: number): number => from + (to - from) * t

/** From 0 to 1 while seconds run from start to end, eased. */
export const progress = (seconds: number, start: number, end: number, ease: Easing = linear): number =>
  ease(clamp((seconds - start) / (end - start)))
