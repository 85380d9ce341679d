import { Type } from "@sinclair/typebox"
import { call } from "../../../lib/bus/bus"
import { Fault } from "../../../lib/fault"
import { listOutbox, OutboxMail } from "../../../services/delivery/contract"
import type { Access } from "../../http/access"
import { isFromThisMachine } from "../../http/address"
import { route } from "../../http/route"

/** Anyone on this machine. For others there is nothing. */
const thisMachine: Access<object> = {
  security: [],
  refused: [404],
  async authorize(request) {
    if (!isFromThisMachine(request)) throw new Fault("missing", "Not found.")
    return {}
  },
}

/** The mails that are not sent, because no mail server is set up (behaviour 15.8.1). */
export const outbox = route(
  {
    id: "listOutbox",
    method: "GET",
    path: "/dev/outbox",
    summary: "List the e-mails in the outbox, which were not sent",
    description:
      "Without `SMTP_URL`, `npm start` writes mails into `DATA_DIR/outbox`. The last 100, newest first.",
    access: thisMachine,
    answers: {
      200: Type.Object({ data: Type.Array(OutboxMail) }),
      404: "Mails are sent, or the request comes from another machine.",
    },
  },
  async () => ({ data: (await call(listOutbox, {})).rows }),
)
