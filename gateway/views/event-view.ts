import { type TObject, Type } from "@sinclair/typebox"
import { Time } from "../../lib/fields"

/** The schema of an event in replies, which call created_at createdAt (behaviour 5.3.1). */
export const EventView = <Event extends TObject>({ properties }: Event) =>
  Type.Object({ ...Type.Omit(Type.Object(properties), ["created_at"]).properties, createdAt: Time })

/** Converts an event for a reply, which calls created_at createdAt (behaviour 5.3.1). */
export const eventView = <Event extends { created_at: string }>({
  created_at,
  ...event
}: Event) => ({
  ...event,
  createdAt: created_at,
})
