import { Type } from "@sinclair/typebox"
import { POSTBACK_VOCABULARY } from "../../../services/delivery/contract"
import { anyone } from "../../http/access"
import { refuseUnstorableQuery } from "../../http/query"
import { One, route } from "../../http/route"

const Word = Type.String()

const Vocabulary = Type.Object({
  macros: Type.Array(
    Type.Object({
      name: Word,
      aliases: Type.Array(Word), // in every dialect
      is_number: Type.Boolean({ description: "Whether it may stand in JSON without quotes" }),
    }),
  ),
  dialects: Type.Array(
    Type.Object({
      name: Word,
      differences: Type.Array(Type.Object({ name: Word, macro: Word })),
    }),
  ),
  events: Type.Array(Word),
  statuses: Type.Array(Word),
  presets: Type.Array(Type.Object({ tracker: Word, query: Word })),
})

/** What the templates of postbacks are made of (behaviour 12.5.6). */
export const postbackMacros = [
  route(
    {
      id: "listPostbackMacros",
      method: "GET",
      path: "/api/postback-macros",
      summary: "List the macros of postbacks, their other names, and presets for trackers",
      access: anyone,
      answers: { 200: One(Vocabulary) },
    },
    ({ request, set }) => {
      refuseUnstorableQuery(request) // first: a refusal must not carry the header below
      set.headers["cache-control"] = "public, max-age=3600"
      return { data: POSTBACK_VOCABULARY }
    },
  ),
]
