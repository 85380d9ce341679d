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
      summary: "Show an invitation by its token",
      description: "A POST, which keeps the token out of URLs and logs. The token stays valid.",
      access: anyone,
      limit: limitPublic,
      body: InvitationToken,
      answers: { 200: One(ShownInvitation) },
    },
    async ({ body }) => ({ data: await call(showInvitation, body) }),
  ),
]
