import type { Action } from "../../services/identity/contract"

/** The part of the dashboard that a screen belongs to, and whose menu lists it. */
export type Area = "program" | "workspace" | "partner" | "account"

export type Screen = {
  path: string
  area: Area
  /** What a member must be permitted to do. Absent: anyone who is signed in may see it. */
  may?: Action
  inMenu?: true
  /** The screen of the menu that this one belongs to, which the menu marks while it is shown. */
  under?: `${string}/${string}`
  /** Loads the screen's chunk, whose default export is its component. */
  load: () => Promise<{ default: () => preact.JSX.Element }>
}
