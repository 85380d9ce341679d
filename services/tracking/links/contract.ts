import { type Static, Type } from "@sinclair/typebox"
import { operation } from "../../../lib/bus/operation"
import { Id, LinkCode, ListOf, Nullable, OneOf, Slice, Time } from "../../../lib/fields"

const WebUrl = Type.String({
  maxLength: 2_048,
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+",
  description: "a URL of at most 2,048 characters with http or https",
})

export const NewLink = Type.Object({
  partner_id: Id,
  code: Type.Optional(LinkCode), // made up when absent
  destination_url: Type.Optional(Nullable(WebUrl)),
})

export const LinkChange = Type.Object({
  status: Type.Optional(OneOf("active", "inactive")),
  destination_url: Type.Optional(Nullable(WebUrl)),
})

export const Link = Type.Object({
  id: Id,
  code: Type.String(),
  status: Type.String(),
  destination_url: Nullable(Type.String()),
  clicks: Type.Integer(),
  last_clicked: Nullable(Time),
  partner_id: Id,
  created_at: Time,
})

export type Link = Static<typeof Link>

/** Faults: invalid (no such partner in the program), conflict (the code is taken). */
export const createLink = operation("tracking.link.create", {
  request: Type.Object({ program_id: Id, link: NewLink }),
  reply: Link,
})

/** Faults: missing. */
export const updateLink = operation("tracking.link.update", {
  request: Type.Object({ program_id: Id, link_id: Id, change: LinkChange }),
  reply: Link,
})

export const listLinks = operation("tracking.link.list", {
  request: Type.Object({ program_id: Id, slice: Slice }),
  reply: ListOf(Link),
})

/** Whether the link is one of the program (404 comes before 400). Faults: missing. */
export const showLink = operation("tracking.link.show", {
  request: Type.Object({ program_id: Id, link_id: Id }),
  reply: Link,
})

/**
 * The clicks of partners, and their links, in the order of their ids and after `after_link_id`: as
 * many links as fit into a message. `more_after`: the last of them; null: there are no more.
 */
export const showPartnerLinks = operation("tracking.partner_links.show", {
  request: Type.Object({
    program_id: Id,
    partner_ids: Type.Array(Id),
    after_link_id: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  reply: Type.Object({
    partners: Type.Array(
      Type.Object({ partner_id: Id, clicks: Type.Integer(), links: Type.Array(Link) }),
    ),
    more_after: Type.Optional(Nullable(Id)), // an older version does not go on
  }),
})

/** The codes of these links, as far as the program has them. */
export const nameLinks = operation("tracking.link.name", {
  request: Type.Object({ program_id: Id, link_ids: Type.Array(Id) }),
  reply: Type.Object({ links: Type.Array(Type.Object({ link_id: Id, code: Type.String() })) }),
})
