import { digestCopy } from "./digest-copy"
import { reconcile } from "./reconcile"

/** The operations of `npm run audit`, which runs them in its own process if the system does not run. */
export const bookOperations = { reconcile, digestCopy }
