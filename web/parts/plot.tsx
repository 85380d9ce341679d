import { useEffect, useRef, useState } from "preact/hooks"
import type uPlot from "uplot"
import { words } from "../words/en/chart"
import { LANGUAGE } from "../words/language"
import type { Line } from "./chart"
import { dashOf, UNFINISHED } from "./dashes"

const HEIGHT_PX = 240
const DAYS_PX = 28
const AXIS_PX = 56

type Colors = { lines: string[]; quiet: string; edge: string }

/** Draws the lines with uPlot, which loads with the first chart. To assistive technology it is a slider over the days. */
export function Plot({
  days,
  lines,
  isLastUnfinished,
  read,
  onRead,
}: {
  days: string[]
  lines: Line[]
  isLastUnfinished: boolean
  read: number | null
  onRead(at: number | null): void
}) {
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot | null>(null)
  const theme = useTheme()

  useEffect(() => {
    let isGone = false
    const parent = box.current!
    const observer = new ResizeObserver(() =>
      drawn.current?.setSize({ width: parent.clientWidth, height: HEIGHT_PX }),
    )
    void import("uplot").then(({ default: UPlot }) => {
      if (isGone) return
      const data = dataOf(days, lines, isLastUnfinished)
      const options = optionsOf(
        parent.clientWidth,
        lines,
        isLastUnfinished,
        colorsOf(parent),
        onRead,
      )
      drawn.current = new UPlot(options, data, parent)
      observer.observe(parent)
    })
    return () => {
      isGone = true
      observer.disconnect()
      drawn.current?.destroy()
      drawn.current = null
    }
  }, [days, lines, isLastUnfinished, theme])

  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    const at = Math.min(Math.max((read ?? days.length) + step, 0), days.length - 1)
    const left = drawn.current?.valToPos(secondsOf(days[at]!), "x")
    if (left !== undefined) drawn.current?.setCursor({ left, top: HEIGHT_PX / 2 })
    onRead(at)
  }
  return (
    <div
      ref={box}
      class="plot"
      role="slider"
      tabIndex={0}
      aria-label={words.move}
      aria-valuemin={0}
      aria-valuemax={days.length - 1}
      aria-valuenow={read ?? days.length - 1}
      aria-valuetext={days[read ?? days.length - 1]}
      onKeyDown={move}
    />
  )
}

const dayAndMonth = new Intl.DateTimeFormat(LANGUAGE, {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
})
const shortDay = (seconds: number) => dayAndMonth.format(seconds * 1_000)

const secondsOf = (day: string) => Date.parse(`${day}T00:00Z`) / 1_000

/** The last segment of each line is a series of its own if its day is unfinished: it is dashed. */
function dataOf(days: string[], lines: Line[], isLastUnfinished: boolean): uPlot.AlignedData {
  const last = days.length - 1
  const series = lines.flatMap(({ values, isBefore }) => {
    if (!isLastUnfinished || isBefore) return [values]
    const finished = values.map((value, i) => (i === last ? null : value))
    return [finished, values.map((value, i) => (i >= last - 1 ? value : null))]
  })
  return [days.map(secondsOf), ...series] as uPlot.AlignedData
}

function optionsOf(
  width: number,
  lines: Line[],
  isLastUnfinished: boolean,
  colors: Colors,
  onRead: (at: number | null) => void,
): uPlot.Options {
  const axis = {
    stroke: colors.quiet,
    grid: { stroke: colors.edge, width: 1 },
    ticks: { show: false },
  }
  const { textOf, axisTextOf = textOf } = lines[0]!
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: false },
    tzDate: seconds =>
      new Date(new Date(seconds * 1_000).toLocaleString("en-US", { timeZone: "UTC" })),
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { y: { range: (_, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      { ...axis, size: DAYS_PX, values: (_, seconds) => seconds.map(shortDay) },
      { ...axis, size: AXIS_PX, values: (_, values) => values.map(axisTextOf) },
    ],
    series: [{}, ...lines.flatMap((line, i) => seriesOf(line, i, isLastUnfinished, colors))],
    hooks: { setCursor: [({ cursor }) => onRead(cursor.idx ?? null)] },
  }
}

function seriesOf(line: Line, i: number, isLastUnfinished: boolean, colors: Colors) {
  const { isBefore } = line
  const stroke = isBefore ? colors.quiet : colors.lines[i % colors.lines.length]
  const series = {
    stroke,
    width: isBefore ? 1 : 2,
    dash: dashOf(line, i),
    points: { show: false },
  }
  return isBefore || !isLastUnfinished ? [series] : [series, { ...series, dash: UNFINISHED }]
}

function colorsOf(element: Element): Colors {
  const probe = document.createElement("span")
  element.append(probe)
  const colorOf = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color // resolves light-dark()
  }
  const colors = {
    lines: ["--line-1", "--line-2", "--line-3", "--line-4"].map(colorOf),
    quiet: colorOf("--quiet"),
    edge: colorOf("--edge"),
  }
  probe.remove()
  return colors
}

/** Changes when the theme does, so that the chart is drawn again in its colors. */
function useTheme(): string {
  const current = () =>
    `${document.documentElement.dataset.theme}${matchMedia("(prefers-color-scheme: dark)").matches}`
  const [theme, setTheme] = useState(current)
  useEffect(() => {
    const update = () => setTheme(current())
    const dark = matchMedia("(prefers-color-scheme: dark)")
    const observer = new MutationObserver(update)
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] })
    dark.addEventListener("change", update)
    return () => {
      observer.disconnect()
      dark.removeEventListener("change", update)
    }
  }, [])
  return theme
}
