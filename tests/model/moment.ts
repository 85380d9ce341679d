/**
 * When something happened. The exact time is unknown outside until a reply shows it: until then it
 * is known to lie between the request and its reply. All in ms since 1970.
 */
export type Moment = { bounds: { from: number; to: number }; exact: number | null }

const CLOCK_TOLERANCE_MS = 2

export const newMoment = (): Moment => ({
  bounds: { from: Number.NaN, to: Number.NaN },
  exact: null,
})

/** Another moment of the same request. */
export const momentBeside = ({ bounds }: Moment): Moment => ({ bounds, exact: null })

export const exactly = (ms: number): Moment => ({ bounds: { from: ms, to: ms }, exact: ms })

export function setBounds({ bounds }: Moment, from: number, to: number) {
  bounds.from = Math.floor(from) - CLOCK_TOLERANCE_MS
  bounds.to = Math.ceil(to) + CLOCK_TOLERANCE_MS
}

export const msOf = ({ bounds, exact }: Moment): number => exact ?? bounds.from
export const isoOf = (moment: Moment): string => new Date(msOf(moment)).toISOString()
