import { newProgram } from "../support/program"
import { send } from "../support/world"

/** The address of a page that is open to people without a session. */
export async function publicPathOf(name: string): Promise<string> {
  const program = await newProgram()
  const { session: token, path, partner_id } = program
  if (name === "invitation") {
    const { body } = await send("POST", `${path}/partners/${partner_id}/invite`, { token })
    return `/invitation?token=${body.data.token}`
  }
  if (name !== "join") return `/${name}`
  await send("POST", `${path}/go-live`, { token })
  return `/join/${(await send("GET", path, { token })).body.data.slug}`
}
