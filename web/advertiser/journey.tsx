import { useAddress } from "../address"
import { useAnswer } from "../answers"
import type { Answer } from "../client"
import { Screen } from "../parts/screen"
import { Empty, Loaded } from "../parts/states"
import { Status, type Tone } from "../parts/status"
import { Pages } from "../parts/table"
import { When } from "../parts/when"
import { words } from "../words/en/journey"

type Step = Answer<"showJourney">["data"][number]

const TONES: Record<Step["kind"], Tone> = {
  click: "plain",
  lead: "plain",
  sale: "good",
  commission: "good",
  refund: "bad",
  erased: "warn",
}

/** What one customer did and what became of it, on one line of time. */
export default function Journey() {
  const { params, query } = useAddress()
  const id = params.id!
  const customerKey = params.customerKey!
  const journey = useAnswer("showJourney", {
    params: { id, customerKey },
    query: { page: query.page, pageSize: 100 },
  })
  return (
    <Screen name="advertiser/journey" title={words.titleOf(customerKey)}>
      <Loaded from={journey}>
        {journey.data?.data.length === 0 && <Empty title={words.empty} />}
        <ol class="journey">
          {journey.data?.data.map((step, i) => (
            <li key={`${step.at} ${i}`}>
              <Status tone={TONES[step.kind]} text={words.kinds[step.kind]} />
              <span>
                <bdi>{step.sentence}</bdi>{" "}
                {step.kind === "sale" && (
                  <a href={`/programs/${id}/sales/${step.sale_id}`}>{words.why}</a>
                )}
              </span>
              <When time={step.at} />
            </li>
          ))}
        </ol>
        {journey.data && <Pages meta={journey.data.meta} />}
      </Loaded>
    </Screen>
  )
}
