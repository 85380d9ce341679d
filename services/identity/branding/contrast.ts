const CONTRAST_MIN = 4.5 // of normal text, WCAG 2.2 level AA

type Rgb = [red: number, green: number, blue: number]

/** Whether white text is readable on a color like #0a5ea8. */
export const isReadable = (color: string): boolean => contrastOf(rgbOf(color)) >= CONTRAST_MIN

/** The contrast between white and a color like #0a5ea8, from 1 to 21 (WCAG 2.2). */
export const contrastToWhite = (color: string): number => contrastOf(rgbOf(color))

/** The same color, darkened just enough for white text to be readable on it. */
export function nearestReadable(color: string): string {
  const rgb = rgbOf(color)
  const darkened = (share: number) => rgb.map(part => Math.floor(part * share)) as Rgb
  let [dark, bright] = [0, 1]
  while (bright - dark > 1 / 1_024) {
    const middle = (dark + bright) / 2
    if (contrastOf(darkened(middle)) >= CONTRAST_MIN) dark = middle
    else bright = middle
  }
  return `#${darkened(dark)
    .map(part => part.toString(16).padStart(2, "0"))
    .join("")}`
}

const rgbOf = (color: string): Rgb =>
  [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16)) as Rgb

function contrastOf(rgb: Rgb): number {
  const [red, green, blue] = rgb.map(linear) as Rgb
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** A channel of sRGB as a share of light. */
function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
