import type { Answer } from "../../client"

/** A link of the list, with its partner's name. */
export type Link = Answer<"listLinks">["data"][number]
