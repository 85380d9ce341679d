import type { Answer, Input } from "../client"

export type Postback = Answer<"showOwnPostback">["data"]
export type PostbackFields = NonNullable<Input<"createOwnPostback">["body"]>
export type PostbackEvent = Postback["events"][number]

/** What templates are made of, as the API lists it. */
export type Vocabulary = Answer<"listPostbackMacros">["data"]

/** What a postback sends, as it is being typed. */
export type Draft = Pick<Postback, "url" | "method" | "body" | "dialect">
