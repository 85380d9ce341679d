import type { RequestOf } from "../../../lib/bus/operation"
import { Fault } from "../../../lib/fault"
import type * as contract from "../contract"
import { useKey } from "../keys/keys"
import { useSession } from "./sessions"

type Request = RequestOf<typeof contract.findCaller>

export async function findCaller({ kind, token_hash }: Request) {
  if (kind === "key") {
    const key = await useKey(token_hash)
    if (key) return { kind, ...key }
    throw new Fault("unauthorized", "This Management API key is unknown, revoked or expired.")
  }
  const session = await useSession(token_hash)
  if (session) return { kind, ...session }
  throw sessionEnded()
}

export const sessionEnded = () =>
  new Fault("unauthorized", "This session has ended: sign in again.")
