import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { useSession } from "../session"

/**
 * The program of the address as one of its partners sees it. `asPartner`: whom a member looks on as,
 * who can change nothing. `view` and `of` are what reads take along, `hrefOf` what links keep.
 */
export function usePlace() {
  const { params, query } = useAddress()
  const programId = Number(params.programId ?? 0)
  const asPartner = query.as_partner ?? null
  const view = asPartner === null ? {} : { as_partner: asPartner }
  const of = { ...view, program_id: `${programId}` }
  const hrefOf = (path: string) => (asPartner === null ? path : `${path}?as_partner=${asPartner}`)
  return { programId, asPartner, view, of, hrefOf, base: `/partner/programs/${programId}` }
}

/** The program of the address, with its rate, terms and branding. */
export function useJoinedProgram() {
  const { programId, view } = usePlace()
  return useAnswer("showPartnerProgram", { params: { programId }, query: view })
}

/** Whether the person is a partner, or looks on as one. */
export function useIsPartner(): boolean {
  const { query } = useAddress()
  const session = useSession()
  return Boolean(session?.partner) || query.as_partner !== undefined
}
