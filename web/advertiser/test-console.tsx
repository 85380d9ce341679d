import { useState } from "preact/hooks"
import { useAddress } from "../address"
import { cache } from "../answers"
import { addressOf } from "../client"
import { Code } from "../parts/code"
import { Field, Select } from "../parts/field"
import { Form } from "../parts/form"
import { useProgram } from "../session"
import { words } from "../words/en/integration"
import { curlOf } from "./curl"
import { knownToken } from "./known-token"
import { fixOf } from "./refused-call"
import { saleOf } from "./snippets"

const OPERATIONS = {
  click: "recordClick",
  lead: "recordLead",
  sale: "recordSale",
  refund: "refundSale",
} as const
type Route = keyof typeof OPERATIONS

const samplesOf = (currency: string | undefined): Record<Route, object> => ({
  click: { affiliate_url: "https://shop.example/?aff=test", page_url: "https://shop.example/" },
  lead: { customer_key: "customer-42", email: "ada@example.com" },
  sale: saleOf("test-1001", currency),
  refund: { transaction_id: "test-1001" },
})

type Sent = { curl: string; status: number; answer: string; fix: string | null }

/** Sends a call in test mode from the page, and shows the request as curl beside its answer. */
export function TestConsole({ programId }: { programId: number }) {
  const { query, change } = useAddress()
  const currency = useProgram()?.currency
  const route = (Object.hasOwn(OPERATIONS, query.send ?? "") ? query.send : "click") as Route
  const [sent, setSent] = useState<Sent | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [isBusy, setBusy] = useState(false)

  const send = async ({ body, token }: Record<string, string>) => {
    const fields = objectIn(body ?? "")
    setError(fields ? null : new Error(words.bodyWrong))
    if (!fields) return
    setBusy(true)
    try {
      setSent(await sendTest(route, testOf(fields, programId), token || null))
      void cache.invalidateQueries()
    } catch (failure) {
      setError(failure as Error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section class="card" id="console">
      <h2>{words.console}</h2>
      <p>{words.consoleText}</p>
      <Select
        name="route"
        label={words.what}
        value={route}
        options={Object.entries(words.whats) as [string, string][]}
        onChange={send => change({ send })}
      />
      <Form
        key={`${route} ${currency}`}
        action={words.send}
        error={error}
        isBusy={isBusy}
        onSubmit={send}
      >
        <Field
          name="body"
          label={words.body}
          hint={words.bodyHint}
          rows={6}
          value={JSON.stringify(samplesOf(currency)[route], null, 2)}
        />
        {(route === "sale" || route === "refund") && (
          <Field
            name="token"
            label={words.tokenField}
            hint={words.tokenFieldHint}
            value={knownToken(programId)}
            autoComplete="off"
          />
        )}
      </Form>
      {sent && (
        <div class="stack" role="status">
          <h3>{words.request}</h3>
          <Code text={sent.curl} label={words.requestLabel} />
          <h3>{words.answer(sent.status)}</h3>
          <Code text={sent.answer} label={words.answerLabel} />
          {sent.fix ? (
            <p>{sent.fix}</p>
          ) : (
            <p>
              <a href={`/programs/${programId}/live?test=true`}>{words.seeTests}</a>
            </p>
          )}
        </div>
      )}
    </section>
  )
}

/** Posts as a backend would: the token alone is the credential, and any status is an answer. */
async function sendTest(route: Route, body: object, token: string | null): Promise<Sent> {
  const response = await fetch(addressOf(OPERATIONS[route], {}), {
    method: "POST",
    credentials: "omit",
    headers: {
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const { status, ok } = response
  const answer = await response.json()
  return {
    curl: curlOf(route, body, token),
    status,
    answer: JSON.stringify(answer, null, 2),
    fix: ok ? null : fixOf({ route, status, error: answer.error }),
  }
}

const testOf = (fields: object, program_id: number) => ({
  ...fields,
  additional_data: {
    ...Object(Reflect.get(fields, "additional_data")),
    test_mode: true,
    program_id,
  },
})

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
