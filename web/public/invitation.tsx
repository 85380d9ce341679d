import { Field } from "../parts/field"
import { words } from "../words/en/sign-in"
import { type FormView, PlainForm, PublicPage } from "./page"

export function Invitation({ fields, error, query }: FormView) {
  return (
    <PublicPage title={words.invitation}>
      <p>{words.invitationText}</p>
      <PlainForm to={`/invitation${query}`} action={words.accept} error={error}>
        <input type="hidden" name="token" value={fields.token ?? ""} />
        <Field
          name="password"
          label={words.password}
          type="password"
          autoComplete="current-password"
          hint={words.invitationPassword}
        />
        <Field
          name="name"
          label={words.name}
          value={fields.name}
          autoComplete="name"
          maxLength={255}
          isOptional
          hint={words.invitationName}
        />
        <Field
          name="email"
          label={words.otherEmail}
          type="email"
          value={fields.email}
          autoComplete="username"
          isOptional
          hint={words.otherEmailHint}
        />
      </PlainForm>
    </PublicPage>
  )
}
