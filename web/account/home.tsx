import { useEffect } from "preact/hooks"
import { useAddress } from "../address"
import { useAnswer } from "../answers"
import { Screen } from "../parts/screen"
import { Busy, Trouble } from "../parts/states"
import { useSession } from "../session"

/** Leads on from "/": to the only program, the list of programs, or the partner portal. */
export default function Home() {
  const session = useSession()
  const { go } = useAddress()
  const workspace = session?.memberships.find(({ status }) => status === "active")?.workspace
  const programs = useAnswer(
    "listPrograms",
    { workspace: workspace?.id, query: { pageSize: 2 } },
    { isEnabled: workspace !== undefined },
  )

  useEffect(() => {
    if (!workspace) return go("/partner", true)
    const rows = programs.data?.data
    if (rows) go(rows.length === 1 ? `/programs/${rows[0]!.id}` : "/programs", true)
  }, [workspace, programs.data])

  return (
    <Screen name="account/home">
      {programs.error ? <Trouble error={programs.error} onRetry={programs.refetch} /> : <Busy />}
    </Screen>
  )
}
