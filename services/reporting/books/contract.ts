import { copyDigestOf } from "../../../lib/feeds/digest"
import { reconcileOf } from "../../../lib/reconcile"

export const reconcile = reconcileOf("reporting")

/** The digest of a feed as it is applied here. Faults: none. */
export const digestCopy = copyDigestOf("reporting")
