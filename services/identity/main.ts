import { serve } from "../../lib/bus"
import { secretKey } from "../../lib/config"
import { letGo, warm } from "../../lib/db"
import { answersHealth } from "../../lib/health"
import { migrate } from "../../lib/migrate"
import { every } from "../../lib/timer"
import { acceptInvitation } from "./accept-invitation"
import { admitToProgram } from "./admit-to-program"
import { archiveProgram } from "./archive-program"
import { keepCaughtUp } from "./audit-entries"
import * as contract from "./contract"
import { createKey } from "./create-key"
import { createProgram } from "./create-program"
import { sql } from "./db"
import { findCaller } from "./find-caller"
import { findInvitee } from "./find-invitee"
import { findTrackingProgram } from "./find-tracking-program"
import { inviteMember } from "./invite-member"
import { invitePartner } from "./invite-partner"
import { listAuditEntries } from "./list-audit-entries"
import { listKeys } from "./list-keys"
import { listMembers } from "./list-members"
import { listPrograms } from "./list-programs"
import { sweepBindings } from "./partner-accounts"
import { permitKey } from "./permit-key"
import { permitMember } from "./permit-member"
import { permitPartner } from "./permit-partner"
import { permitProgram } from "./permit-program"
import { permitWorkspace } from "./permit-workspace"
import { publishProgram } from "./publish-program"
import { regenerateToken } from "./regenerate-token"
import { revokeKey } from "./revoke-key"
import { forgetEndedSessions } from "./sessions"
import { showSession } from "./show-session"
import { signIn } from "./sign-in"
import { signOut } from "./sign-out"
import { signUp } from "./sign-up"
import { sweepChanges } from "./sweep-changes"
import { updateKey } from "./update-key"
import { updateMember } from "./update-member"
import { updateProgram } from "./update-program"
import { verifyStripeWebhook } from "./verify-stripe-webhook"

const SWEEP_PAUSE_MS = 1_000
const FORGET_PAUSE_MS = 3_600_000
const CATCH_UP_PAUSE_MS = 5_000 // whoever lists catches up first

/** Who is who, who may do what, and which programs there are. */
export async function start() {
  secretKey() // a process that could not seal a secret must not start
  await migrate("identity", `${import.meta.dir}/migrations`)
  await warm(sql)
  await serve("identity", contract, {
    findTrackingProgram,
    findCaller,
    permitProgram,
    admitToProgram,
    permitWorkspace,
    signUp,
    signIn,
    signOut,
    showSession,
    createProgram,
    listPrograms,
    updateProgram,
    archiveProgram,
    publishProgram,
    regenerateToken,
    verifyStripeWebhook,
    createKey,
    listKeys,
    permitKey,
    updateKey,
    revokeKey,
    inviteMember,
    listMembers,
    permitMember,
    updateMember,
    invitePartner,
    permitPartner,
    findInvitee,
    acceptInvitation,
    listAuditEntries,
    showHealth: answersHealth(sql),
  })
  const stops = [
    every(SWEEP_PAUSE_MS, "Ending the changes of programs", sweepChanges),
    every(SWEEP_PAUSE_MS, "Telling whose partners are", sweepBindings),
    every(FORGET_PAUSE_MS, "Forgetting ended sessions", forgetEndedSessions),
    keepCaughtUp(CATCH_UP_PAUSE_MS),
  ]

  return async () => {
    await Promise.all(stops.map(stop => stop()))
    await letGo(sql)
  }
}
