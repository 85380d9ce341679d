import { call } from "../../../lib/bus/bus"
import {
  InvitationToken,
  ShownInvitation,
  showInvitation,
} from "../../../services/identity/contract"
import { anyone } from "../../http/access"
import { One, route } from "../../http/route"
import { limitPublic } from "../public/programs"

/** What an invitation is to, for a person who has its token (behaviour 2.7). */
export const invitations = [
  route(
    {
      id: "showInvitation",
      method: "POST",
      path: "/api/auth/show-invitation",
      summary: "Show who invites to what, by the token of an invitation",
      description: "A POST, so that the token is in no address and no log. The token stays valid.",
      access: anyone,
      limit: limitPublic,
      body: InvitationToken,
      answers: { 200: One(ShownInvitation) },
    },
    async ({ body }) => ({ data: await call(showInvitation, body) }),
  ),
]
