import { type TObject, Type } from "@sinclair/typebox"
import { Time } from "../../lib/fields"

/** The schema of an event as every endpoint answers it: it says createdAt (specification 2). */
export const EventView = <Event extends TObject>({ properties }: Event) =>
  Type.Object({ ...Type.Omit(Type.Object(properties), ["created_at"]).properties, createdAt: Time })

/** An event as every endpoint answers it. */
export const eventView = <Event extends { created_at: string }>({
  created_at,
  ...event
}: Event) => ({
  ...event,
  createdAt: created_at,
})
