import { call } from "../../lib/bus/bus"
import { showPartner } from "../../services/commissions/contract"
import {
  type Postback,
  type PostbackDeliveryDetails,
  type PostbackDeliveryKey,
  type PostbackKey,
  type PostbackOwner,
  showPostback,
  showPostbackDelivery,
} from "../../services/delivery/contract"
import type { Program } from "../../services/identity/contract"
import { type Access, inProgram, partner, program } from "./access"
import { partnerWriting } from "./partner-access"
import { pathId } from "./query"

type Action = "program:read" | "program:update"
type Owned = { owner: PostbackOwner }
export type Found = Owned & { key: PostbackKey; postback: Postback }

const withOwner = <Granted>(
  access: Access<Granted>,
  ownerOf: (granted: Granted) => PostbackOwner,
): Access<Granted & Owned> => ({
  ...access,
  async authorize(request, params, body) {
    const granted = await access.authorize(request, params, body)
    return { ...granted, owner: ownerOf(granted) }
  },
})

/** The postbacks that the program of the path sends for all its partners. */
export const postbacksOfProgram = (action: Action): Access<{ program: Program } & Owned> =>
  withOwner(program(action), ({ program }) => ownerOf(program, null))

/** The postbacks that the program of the path sends for the partner of the path. */
export const postbacksOfPartner = (action: Action): Access<{ program: Program } & Owned> =>
  withOwner(
    inProgram(action, ({ program_id, params }) =>
      call(showPartner, { program_id, partner_id: pathId(params.partnerId) }),
    ),
    ({ program, found }) => ownerOf(program, found.partner_id),
  )

/** A partner's own postbacks. Members who look on as a partner do not see them. */
export const ownPostbacks: Access<{ account_id: number } & Owned> = withOwner(
  partner,
  ({ account_id }) => ({ account_id }),
)

/** A partner's own postbacks, for a partner who writes. */
export const ownPostbacksWriting: typeof ownPostbacks = withOwner(
  partnerWriting,
  ({ account_id }) => ({ account_id }),
)

/** The postback of the path, which is missing unless it is of that owner. */
export const onePostback = <Granted extends Owned>(
  access: Access<Granted>,
): Access<Granted & Found> => ({
  ...access,
  async authorize(request, params, body) {
    const granted = await access.authorize(request, params, body)
    const key = { owner: granted.owner, postback_id: pathId(params.postbackId) }
    return { ...granted, key, postback: await call(showPostback, key) }
  },
})

/** The delivery of the path, which is missing unless it is of the postback of the path. */
export const oneDelivery = <Granted extends Found>(
  access: Access<Granted>,
): Access<Granted & { delivery_key: PostbackDeliveryKey; delivery: PostbackDeliveryDetails }> => ({
  ...access,
  async authorize(request, params, body) {
    const granted = await access.authorize(request, params, body)
    const delivery_key = { ...granted.key, delivery_id: pathId(params.deliveryId) }
    const delivery = await call(showPostbackDelivery, delivery_key)
    return { ...granted, delivery_key, delivery }
  },
})

const ownerOf = ({ id: program_id, workspace_id }: Program, partner_id: number | null) => ({
  workspace_id,
  program_id,
  partner_id,
})
