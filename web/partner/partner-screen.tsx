import type { ComponentChildren } from "preact"
import { useAnswer } from "../answers"
import { Screen } from "../parts/screen"
import { Empty } from "../parts/states"
import type { ScreenName } from "../screens"
import { words } from "../words/en/partner"
import { useIsPartner, useJoinedProgram, usePlace } from "./place"

/** A screen of the partner portal. A bar says so if a member looks on as a partner. */
export function PartnerScreen({
  name,
  title,
  actions,
  children,
}: {
  name: ScreenName
  title?: string
  actions?: ComponentChildren
  children: ComponentChildren
}) {
  const isPartner = useIsPartner()
  const { asPartner, programId } = usePlace()
  return (
    <Screen name={name} title={title} actions={actions}>
      {asPartner !== null && <LookingOn partnerId={asPartner} programId={programId} />}
      {isPartner ? (
        children
      ) : (
        <Empty title={words.noPartner}>
          <p>{words.noPartnerText}</p>
        </Empty>
      )}
    </Screen>
  )
}

function LookingOn({ partnerId, programId }: { partnerId: string; programId: number }) {
  const program = useJoinedProgram().data?.data
  const partner = useAnswer("showPartner", { params: { id: programId, partnerId } }).data?.data
  return (
    <p class="looking-on" role="note">
      <span>{words.lookingOn(partner?.name ?? "", program?.name ?? "")}</span>{" "}
      <a href={`/programs/${programId}/partners/${partnerId}`}>{words.back}</a>
    </p>
  )
}
