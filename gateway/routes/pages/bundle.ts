import { listCurrencies } from "../../../lib/money"
import { ROLES_OF } from "../../../services/identity/contract"
import { type Bundle, build } from "../../../web/build"
import type { Route } from "../../http/route"

const USUAL_EXPONENT = 2

let bundle: Promise<Bundle> | undefined

/** The bundled pages. Built once, soon after the start or at the first request for a page. */
export const bundleOf = (routes: readonly Route[]): Promise<Bundle> => {
  bundle ??= build(constantsOf(routes))
  return bundle
}

/** What the pages know of the API without asking. */
export const constantsOf = (routes: readonly Route[]) => ({
  OPERATIONS: Object.fromEntries(
    routes.map(({ declaration: { id, method, path } }) => [id, `${method} ${path}`]),
  ),
  ROLES: ROLES_OF,
  EXPONENTS: Object.fromEntries(
    listCurrencies()
      .filter(({ exponent }) => exponent !== USUAL_EXPONENT)
      .map(({ code, exponent }) => [code, exponent]),
  ),
})
