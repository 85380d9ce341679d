import { useEffect, useState } from "preact/hooks"
import { cache, useStep } from "../answers"
import { signInAgain } from "../client"
import { Dialog } from "../parts/dialog"
import { Field } from "../parts/field"
import { Form } from "../parts/form"
import { useSession } from "../session"
import { words } from "../words/en/sign-in"

/** Opens when the session has ended in the middle of work. The interrupted request is then repeated. */
export function SignInDialog() {
  const email = useSession()?.user.email
  const [resolve, setResolve] = useState<(() => void) | null>(null)
  const signIn = useStep("signIn", {
    onDone: () => {
      resolve?.()
      setResolve(null)
      void cache.invalidateQueries()
    },
  })

  useEffect(() => {
    let waiting: Promise<void> | null = null
    signInAgain.ask = () => {
      waiting ??= new Promise<void>(done => setResolve(() => done)).finally(() => {
        waiting = null
      })
      return waiting
    }
  }, [])

  if (!resolve) return null
  return (
    <Dialog title={words.again} onClose={() => location.assign("/sign-in")}>
      <p>{words.sessionEnded}</p>
      <Form
        error={signIn.error}
        isBusy={signIn.isBusy}
        action={words.signIn}
        onSubmit={fields =>
          signIn.take({ body: { email: fields.email!, password: fields.password! } })
        }
      >
        <Field
          name="email"
          label={words.email}
          type="email"
          value={email}
          autoComplete="username"
        />
        <Field
          name="password"
          label={words.password}
          type="password"
          autoComplete="current-password"
        />
      </Form>
    </Dialog>
  )
}
