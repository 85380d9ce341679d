import { LANGUAGE } from "../words/language"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const date = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium" })
const dateAndTime = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" })
const utcDay = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeZone: "UTC" })
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" })

/** A time in the viewer's zone, relative below a day. The tooltip has it in UTC. */
export function When({ time, as = text => text }: { time: string; as?: (text: string) => string }) {
  return (
    <time dateTime={time} title={`${time.slice(0, 16).replace("T", " ")} UTC`}>
      {as(timeText(time))}
    </time>
  )
}

export function timeText(time: string, now = Date.now()): string {
  const at = Date.parse(time)
  const ms = at - now
  if (Math.abs(ms) < MINUTE_MS) return relative.format(0, "minute")
  if (Math.abs(ms) < HOUR_MS) return relative.format(Math.trunc(ms / MINUTE_MS), "minute")
  if (Math.abs(ms) < DAY_MS) return relative.format(Math.trunc(ms / HOUR_MS), "hour")
  return dateAndTime.format(at)
}

/** The date of a time, in the viewer's zone: "8 Dec 2026". */
export const dateText = (time: string): string => date.format(Date.parse(time))

/** A day of a report. Days are days of UTC. */
export const dayText = (day: string): string => utcDay.format(Date.parse(`${day}T00:00Z`))
