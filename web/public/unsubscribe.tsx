import { words } from "../words/en/unsubscribe"
import { PlainForm, PublicPage } from "./page"

type Kind = keyof typeof words.kinds

/** The page behind the link in a mail: opening it changes nothing, the button does. */
export function Unsubscribe({ kinds, token }: { kinds: Kind[]; token: string }) {
  return (
    <PublicPage title={words.title}>
      <PlainForm to={`/unsubscribe/${token}`} action={words.stop} error={null}>
        <p>{words.question}</p>
        <Kinds kinds={kinds} />
      </PlainForm>
    </PublicPage>
  )
}

export function Unsubscribed({ kinds }: { kinds: Kind[] }) {
  return (
    <PublicPage title={words.done}>
      <p>{words.doneText}</p>
      <Kinds kinds={kinds} />
      <p>{words.changeMind}</p>
    </PublicPage>
  )
}

const Kinds = ({ kinds }: { kinds: Kind[] }) => (
  <ul>
    {kinds.map(kind => (
      <li key={kind}>{words.kinds[kind]}</li>
    ))}
  </ul>
)
