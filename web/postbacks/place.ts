import { useAddress } from "../address"
import { useIsPartner } from "../partner/place"
import { useMay } from "../session"
import { words } from "../words/en/postbacks"

const OWN = {
  list: "listOwnPostbacks",
  show: "showOwnPostback",
  create: "createOwnPostback",
  update: "updateOwnPostback",
  remove: "deleteOwnPostback",
} as const

const OF_PROGRAM = {
  list: "listProgramPostbacks",
  show: "showProgramPostback",
  create: "createProgramPostback",
  update: "updateProgramPostback",
  remove: "deleteProgramPostback",
} as const

const OF_PARTNER = {
  list: "listPartnerPostbacks",
  show: "showPartnerPostback",
  create: "createPartnerPostback",
  update: "updatePartnerPostback",
  remove: "deletePartnerPostback",
} as const

/**
 * Whose postbacks the address is about, and the operations for them: a partner's own, or those that
 * an advertiser has for all partners of a program or for one of them. `receiver` decides what of a
 * sale they show. `id` null: a new one.
 */
export function usePostbackPlace() {
  const { path, params } = useAddress()
  const isPartner = useIsPartner()
  const may = useMay()
  const id = params.postbackId === "new" ? null : params.postbackId!
  if (path.startsWith("/partner")) {
    return {
      isOwn: true,
      operations: OWN,
      params: {},
      base: "/partner/postbacks",
      intro: words.intro,
      receiver: "partner" as const,
      isEnabled: isPartner,
      mayWrite: isPartner,
      id,
    }
  }
  const isOfPartner = params.partnerId !== undefined
  const owner = isOfPartner ? `partners/${params.partnerId}/` : ""
  return {
    isOwn: false,
    operations: isOfPartner ? OF_PARTNER : OF_PROGRAM,
    params: { id: params.id!, ...(isOfPartner && { partnerId: params.partnerId! }) },
    base: `/programs/${params.id}/${owner}postbacks`,
    intro: isOfPartner ? words.introPartner : words.introProgram,
    receiver: isOfPartner ? ("partner" as const) : ("program" as const),
    isEnabled: true,
    mayWrite: may("program:update"),
    id,
  }
}
