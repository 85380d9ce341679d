import { Field } from "../parts/field"
import { words } from "../words/en/sign-in"
import { type FormView, PlainForm, PublicPage } from "./page"

export function SignIn({ fields, error, query }: FormView) {
  return (
    <PublicPage title={words.signIn}>
      <PlainForm to={`/sign-in${query}`} action={words.signIn} error={error}>
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
          autoComplete="current-password"
        />
      </PlainForm>
      <p>
        {words.noAccount} <a href="/sign-up">{words.signUp}</a>
      </p>
    </PublicPage>
  )
}
