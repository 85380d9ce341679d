import { call } from "../../lib/bus/bus"
import { secretKey } from "../../lib/config"
import { migrate } from "../../lib/db/migrate"
import { closePool, warmPool } from "../../lib/db/pool"
import { healthHandler } from "../../lib/health"
import { outgoingEventsPruner } from "../../lib/outgoing-events"
import { outgoingMailSweeper } from "../../lib/outgoing-mails"
import { every } from "../../lib/timer"
import { queueMails } from "../delivery/contract"
import { findDevice } from "./accounts/find-device"
import { showSession } from "./accounts/show-session"
import { signIn } from "./accounts/sign-in"
import { signUp } from "./accounts/sign-up"
import { findProblems, keepCaughtUp } from "./audit-log/audit-entries"
import { exportAuditEntries } from "./audit-log/export-audit-entries"
import { listAuditEntries } from "./audit-log/list-audit-entries"
import { recordExport } from "./audit-log/record-export"
import { bookOperations } from "./books/operations"
import { findLogo } from "./branding/find-logo"
import { showBranding } from "./branding/show-branding"
import { updateBranding } from "./branding/update-branding"
import { clock } from "./clock"
import * as contract from "./contract"
import { feeds_sql, sql } from "./db"
import { numberEvents } from "./event-numbers/number-events"
import { pruneEventNumbers } from "./event-numbers/prune-event-numbers"
import { feedOutgoingEvents } from "./feeds"
import { acceptInvitation } from "./invitations/accept-invitation"
import { findInvitee } from "./invitations/find-invitee"
import { inviteMember } from "./invitations/invite-member"
import { invitePartner } from "./invitations/invite-partner"
import { listInvitations } from "./invitations/list-invitations"
import { showInvitation } from "./invitations/show-invitation"
import { permitInvitation, withdrawInvitation } from "./invitations/withdraw-invitation"
import { createKey } from "./keys/create-key"
import { listKeys } from "./keys/list-keys"
import { permitKey } from "./keys/permit-key"
import { revokeKey } from "./keys/revoke-key"
import { updateKey } from "./keys/update-key"
import { neighbours, showReferences } from "./neighbours"
import { findMailbox } from "./notices/find-mailbox"
import { findNoticeRecipients } from "./notices/find-notice-recipients"
import { findUnsubscription } from "./notices/find-unsubscription"
import { showNotificationSettings } from "./notices/show-notification-settings"
import { unsubscribe } from "./notices/unsubscribe"
import { updateNotificationSettings } from "./notices/update-notification-settings"
import { listPartnerAccounts } from "./partners/list-partner-accounts"
import { sweepBindings } from "./partners/partner-accounts"
import { permitPartner } from "./partners/permit-partner"
import { recordPartnerView } from "./partners/record-partner-view"
import { unbindPartner } from "./partners/unbind-partner"
import { admitToProgram } from "./programs/admit-to-program"
import { archiveProgram } from "./programs/archive-program"
import { createProgram } from "./programs/create-program"
import { findPrograms } from "./programs/find-programs"
import { findTrackingProgram } from "./programs/find-tracking-program"
import { listPrograms } from "./programs/list-programs"
import { permitProgram } from "./programs/permit-program"
import { publishProgram } from "./programs/publish-program"
import { regenerateToken } from "./programs/regenerate-token"
import { sweepChanges } from "./programs/sweep-changes"
import { updateProgram } from "./programs/update-program"
import { findPublicProgram } from "./public-programs/find-public-program"
import { findCaller } from "./sessions/find-caller"
import { deleteEndedSessions } from "./sessions/sessions"
import { signOut } from "./sessions/sign-out"
import { verifyStripeWebhook } from "./stripe/verify-stripe-webhook"
import { acceptTerms } from "./terms/accept-terms"
import { showPartnerTerms } from "./terms/show-partner-terms"
import { showTerms } from "./terms/show-terms"
import { updateTerms } from "./terms/update-terms"
import { createWorkspace } from "./workspaces/create-workspace"
import { listMembers } from "./workspaces/list-members"
import { permitMember } from "./workspaces/permit-member"
import { permitWorkspace } from "./workspaces/permit-workspace"
import { removeMember } from "./workspaces/remove-member"
import { updateMember } from "./workspaces/update-member"
import { updateWorkspace } from "./workspaces/update-workspace"

const SWEEP_PAUSE_MS = 1_000
const CLOCK_PAUSE_MS = 10_000
const FORGET_PAUSE_MS = 3_600_000
const PRUNE_PAUSE_MS = 60_000
const CATCH_UP_PAUSE_MS = 5_000 // a listing catches up by itself

const handOverMails = outgoingMailSweeper(sql, mails => call(queueMails, { mails }))

/** Starts the service of accounts, access rights and programs. */
export async function start() {
  secretKey() // a process that could not encrypt secrets must not start
  await migrate("identity", `${import.meta.dir}/migrations`)
  await Promise.all([sql, feeds_sql].map(warmPool))
  await neighbours.check()
  await neighbours.serve("identity", contract, {
    showReferences,
    findTrackingProgram,
    findCaller,
    findPublicProgram,
    permitProgram,
    admitToProgram,
    permitWorkspace,
    signUp,
    signIn,
    signOut,
    findDevice,
    showSession,
    createProgram,
    listPrograms,
    findPrograms,
    updateProgram,
    archiveProgram,
    publishProgram,
    regenerateToken,
    verifyStripeWebhook,
    showBranding,
    updateBranding,
    findLogo,
    acceptTerms,
    showPartnerTerms,
    showTerms,
    updateTerms,
    createKey,
    listKeys,
    permitKey,
    updateKey,
    revokeKey,
    createWorkspace,
    updateWorkspace,
    inviteMember,
    listInvitations,
    permitInvitation,
    withdrawInvitation,
    listMembers,
    permitMember,
    updateMember,
    removeMember,
    invitePartner,
    listPartnerAccounts,
    permitPartner,
    recordPartnerView,
    unbindPartner,
    showInvitation,
    findInvitee,
    acceptInvitation,
    listAuditEntries,
    exportAuditEntries,
    recordExport,
    feedOutgoingEvents,
    numberEvents,
    showNotificationSettings,
    updateNotificationSettings,
    findUnsubscription,
    unsubscribe,
    findNoticeRecipients,
    findMailbox,
    ...bookOperations,
    showHealth: healthHandler(sql, neighbours.findReason, clock.findProblems, findProblems),
  })
  const stops = [
    every(SWEEP_PAUSE_MS, "Completing program changes", neighbours.whenPresent(sweepChanges)),
    every(SWEEP_PAUSE_MS, "Sending partner accounts", neighbours.whenPresent(sweepBindings)),
    every(SWEEP_PAUSE_MS, "Handing over mails", neighbours.whenPresent(handOverMails)),
    neighbours.keepChecking(),
    every(CLOCK_PAUSE_MS, "Watching the clock", clock.look),
    every(FORGET_PAUSE_MS, "Deleting ended sessions", deleteEndedSessions),
    every(PRUNE_PAUSE_MS, "Deleting old outgoing events", outgoingEventsPruner(sql)),
    every(PRUNE_PAUSE_MS, "Deleting old event numbers", pruneEventNumbers),
    keepCaughtUp(CATCH_UP_PAUSE_MS),
  ]

  return async () => {
    await Promise.all(stops.map(stop => stop()))
    await Promise.all([sql, feeds_sql].map(closePool))
  }
}
