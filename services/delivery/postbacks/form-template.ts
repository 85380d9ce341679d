import type { Dialect } from "./aliases"
import { findEncodedProblem, nameProblem, percentEncode } from "./percent-encoding"
import type { PostbackValues } from "./postback-values"
import { writeParts } from "./template-parts"

/** What is wrong with the template of a form body like `cid={sub1}&sum={payout}`, or null. */
export const findFormProblem = (template: string, dialect: Dialect): string | null =>
  findEncodedProblem(template, dialect, nameProblem)

/** Fills a checked template. Spaces become %20, which forms read like +. */
export const fillForm = (template: string, dialect: Dialect, values: PostbackValues): string =>
  writeParts(template, dialect, macro => percentEncode(macro.textOf(values)))
