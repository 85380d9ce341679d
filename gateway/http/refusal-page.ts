import type { Fault } from "../../lib/fault"

type Page = { html: string; headers: Record<string, string> }

const pages = new WeakMap<Fault, Page>()

/** Makes the refusal of a form a page: the form again, with the sentence. */
export function refuseAsPage(fault: Fault, page: Page): Fault {
  pages.set(fault, page)
  return fault
}

/** The page that refuses. Undefined: the refusal is JSON. */
export const refusalPageOf = (fault: Fault): Page | undefined => pages.get(fault)
