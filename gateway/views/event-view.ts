import { type TObject, type TProperties, Type } from "@sinclair/typebox"
import { Time } from "../../lib/fields"

type ViewSchema<Event> =
  Event extends TObject<infer Properties>
    ? TObject<Omit<Properties, "created_at"> & { createdAt: typeof Time }>
    : never

/** The schema of an event in replies, which call created_at createdAt (behaviour 5.3.1). */
export function EventView<Properties extends TProperties>(event: TObject<Properties>) {
  const { created_at, ...properties } = event.properties
  return Type.Object({ ...properties, createdAt: Time }) as ViewSchema<TObject<Properties>>
}

/** The schemas of several events in replies. */
export const eventViews = <const Events extends TObject[]>(events: Events) =>
  events.map(EventView) as unknown as { [Each in keyof Events]: ViewSchema<Events[Each]> }

type View<Event> = Event extends unknown ? Omit<Event, "created_at"> & { createdAt: string } : never

/** Converts an event for a reply, which calls created_at createdAt (behaviour 5.3.1). */
export const eventView = <Event extends { created_at: string }>({ created_at, ...event }: Event) =>
  ({ ...event, createdAt: created_at }) as unknown as View<Event>
