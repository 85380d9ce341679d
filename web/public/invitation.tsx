import type { Answer } from "../client"
import { Field } from "../parts/field"
import { dayText } from "../parts/when"
import { words } from "../words/en/invitation"
import { type FormViewOf, PlainForm, PublicPage } from "./page"

export type ShownInvitation = Answer<"showInvitation">["data"]

/** Says who invites to what, and takes a password. Without a pending invitation it says what to do. */
export function Invitation({ known, ...view }: FormViewOf<ShownInvitation>) {
  return (
    <PublicPage title={words.title}>
      {known ? (
        <Acceptance {...view} invitation={known} />
      ) : (
        <NotPending hasToken={Boolean(view.fields.token)} error={view.error} />
      )}
    </PublicPage>
  )
}

type AcceptanceView = Omit<FormViewOf<never>, "known"> & { invitation: ShownInvitation }

function Acceptance({ fields, error, query, invitation }: AcceptanceView) {
  const { kind, email, expires_at } = invitation
  return (
    <>
      <p>
        <strong>{whatOf(invitation)}</strong>
      </p>
      <p>{words.until(email, dayText(expires_at.slice(0, 10)))}</p>
      <p>{words.text}</p>
      <PlainForm to={`/invitation${query}`} action={words.accept} error={error}>
        <input type="hidden" name="token" value={fields.token ?? ""} />
        <Field
          name="password"
          label={words.password}
          type="password"
          autoComplete="current-password"
          hint={words.passwordHint}
        />
        <Field
          name="name"
          label={words.name}
          value={fields.name}
          autoComplete="name"
          maxLength={255}
          isOptional
          hint={words.nameHint}
        />
        {kind === "partner" && (
          <Field
            name="email"
            label={words.otherEmail}
            type="email"
            value={fields.email}
            autoComplete="username"
            isOptional
            hint={words.otherEmailHint}
          />
        )}
      </PlainForm>
    </>
  )
}

function whatOf({ workspace_name, program_name, role, invited_by_name }: ShownInvitation): string {
  if (program_name !== null) return words.toProgram(workspace_name, program_name)
  const as = words.roles[role ?? "analyst"]
  return invited_by_name === null
    ? words.toWorkspace(workspace_name, as)
    : words.by(invited_by_name, workspace_name, as)
}

/** A token that is missing, and one that no pending invitation has. */
function NotPending({ hasToken, error }: { hasToken: boolean; error: string | null }) {
  return (
    <>
      <p class="trouble" role="alert">
        {hasToken ? error : words.noToken}
      </p>
      <p>{hasToken ? words.notPending : words.openWholeLink}</p>
      <p>
        <a class="button" href="/sign-in">
          {words.signIn}
        </a>
      </p>
    </>
  )
}
