import { expect, test } from "bun:test"
import { entriesWrittenBy, listAuditLog } from "../../support/audit-log"
import { newKey } from "../../support/key"
import { newPartnerAccount } from "../../support/partner-account"
import {
  newPostback,
  OWN_POSTBACKS,
  partnerPostbacks,
  programPostbacks,
} from "../../support/postback"
import { newProgram, newProgramOf } from "../../support/program"
import { send } from "../../support/world"

const url = "https://127.66.0.1/canary?cid={sub1}"
const host = "127.66.0.1"

type Entry = {
  action: string
  actor: { kind: string }
  subject: { type: string; id: number }
  program_id: number
  details: object
}
const isOfPostback = ({ subject }: Entry) => subject.type === "postback"

test("every write leaves an audit entry, without paths, queries and templates", async () => {
  const owner = await newProgram()
  const { key } = await newKey(owner)
  for (const path of [programPostbacks(owner), partnerPostbacks(owner)]) {
    let id = 0
    const entries: Entry[] = await entriesWrittenBy(owner, async () => {
      id = await newPostback(path, owner.session, { url })
      const put = (body: object) => send("PUT", `${path}/${id}`, { token: key, body })
      await put({ url: `${url}&b=2`, status: "disabled" })
      await put({ status: "disabled" }) // changes nothing
      await put({ method: "POST", body: { type: "form", template: "canary={sub1}" } })
      await put({ body: { type: "form", template: "canary={sub2}" } })
      await send("DELETE", `${path}/${id}`, { token: owner.session })
    })
    const created = {
      programs: "one",
      host,
      method: "GET",
      body: null,
      events: ["sale"],
      dialect: "tributary",
    }
    expect(
      entries.toReversed().map(({ action, actor, details }) => [action, actor.kind, details]),
    ).toEqual([
      ["postback.create", "user", { ...created, status: "enabled" }],
      ["postback.update", "key", { host, status: "disabled" }],
      ["postback.update", "key", { method: "POST", body: "form" }],
      ["postback.update", "key", { body: "form" }],
      ["postback.delete", "user", { host }],
    ])
    for (const entry of entries) {
      expect(entry).toMatchObject({ subject: { id }, program_id: owner.program_id })
    }
    expect(JSON.stringify(entries)).not.toContain("canary")
  }
})

test("a partner's own are in the log of each program that they are for, without the person", async () => {
  const [one, two] = [await newProgram(), await newProgram()]
  const email = `postbacks-${Date.now()}@example.com`
  const token = await newPartnerAccount(one, email)
  await newPartnerAccount(two, email)
  const sibling = await newProgramOf(one)
  const ofPostbacks = async (program: typeof one) =>
    ((await listAuditLog(program, "?pageSize=100")).body.data as Entry[])
      .filter(isOfPostback)
      .map(({ action, actor, program_id }) => [action, actor.kind, program_id])

  const id = await newPostback(OWN_POSTBACKS, token, { program_id: one.program_id })
  expect(await ofPostbacks(one)).toEqual([["postback.create", "none", one.program_id]])
  expect(await ofPostbacks(two)).toEqual([])

  const at = `${OWN_POSTBACKS}/${id}`
  await send("PUT", at, { token, body: { program_id: null } })
  await send("DELETE", at, { token })
  const later = ["postback.delete", "postback.update"]
  for (const program of [one, two]) {
    expect((await ofPostbacks(program)).slice(0, 2)).toEqual(
      later.map(action => [action, "none", program.program_id]),
    )
  }
  const ids = (await ofPostbacks(one)).map(([, , program_id]) => program_id)
  expect(ids).not.toContain(sibling.program_id)
})
