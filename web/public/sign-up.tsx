import { Field } from "../parts/field"
import { words } from "../words/en/sign-in"
import { type FormView, PlainForm, PublicPage } from "./page"

export function SignUp({ fields, error, query }: FormView) {
  return (
    <PublicPage title={words.signUp}>
      <PlainForm to={`/sign-up${query}`} action={words.signUp} error={error}>
        <Field
          name="name"
          label={words.name}
          value={fields.name}
          autoComplete="name"
          maxLength={255}
        />
        <Field
          name="email"
          label={words.email}
          type="email"
          value={fields.email}
          autoComplete="username"
        />
        <Field
          name="password"
          label={words.password}
          type="password"
          autoComplete="new-password"
          hint={words.passwordHint}
        />
        <Field
          name="workspace_name"
          label={words.workspace}
          value={fields.workspace_name}
          autoComplete="organization"
          maxLength={255}
          isOptional
          hint={words.workspaceHint}
        />
      </PlainForm>
      <p>
        {words.haveAccount} <a href="/sign-in">{words.signIn}</a>
      </p>
    </PublicPage>
  )
}
