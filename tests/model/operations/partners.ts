import type { Send } from "../client"
import { managed, readPages } from "../compare/pages"
import { differences, text } from "../match"
import { momentBeside, newMoment } from "../moment"
import type { Link, Partner, Program } from "../state"
import { linkView, partnerView } from "../views"
import { management } from "./management"
import type { Operation } from "./operation"

const PARTNERS_MAX = 12
const error = { error: text() }

export function addPartner(program: Program): Operation {
  const { random, partners } = program
  const isTaken = random.happens(0.15) || partners.length >= PARTNERS_MAX
  const email = isTaken && partners.length ? random.pick(partners).email : newEmail(program)
  const group = random.pick(program.groups)
  const at = newMoment()
  const name = `Partner ${program.serial}`
  const code = newCode(program)
  const body = { email, name, code, group_id: group.id }
  const request = {
    ...management(program, "POST", "/partners", body),
    kind: "partner",
    about: [],
    at,
  }
  if (program.status === "archived" || partners.some(partner => partner.email === email)) {
    return { ...request, status: 409, expected: error }
  }
  const partner = newPartner({ email, name, group, at })
  partner.links.push(newLink(partner, code, momentBeside(at)))
  const store = (partner: Partner) => {
    program.partners.push(partner)
    program.links.push(...partner.links)
  }
  return {
    ...request,
    status: 201,
    expected: { data: partnerView(partner, program) },
    repeated: { status: 409, expected: error },
    apply: () => store(partner),
    applyRepeated: async send => {
      store(partner)
      await learnFrom(send, program, "/partners", { email }, partnerView(partner, program))
    },
  }
}

export function changePartner(program: Program): Operation {
  const { random } = program
  const partner = random.pick(program.partners)
  const group = random.happens(0.4) ? random.pick(program.groups) : partner.group
  const status = random.happens(0.7) ? randomStatus(program) : partner.status
  const body = { status, group_id: group.id }
  const changed = { ...partner, status, group }
  const request = {
    ...management(program, "PUT", `/partners/${partner.id}`, body),
    kind: "change partner",
    about: [`partner ${partner.id}`],
    at: newMoment(),
  }
  if (program.status === "archived") return { ...request, status: 409, expected: error }
  return {
    ...request,
    status: 200,
    expected: { data: partnerView(changed, program) },
    apply: () => {
      Object.assign(partner, { status, group })
    },
  }
}

/** Mostly approved, so that something happens. */
function randomStatus({ random }: Program): Partner["status"] {
  const dice = random.fraction()
  return dice < 0.65 ? "approved" : dice < 0.88 ? "suspended" : "removed"
}

export function addLink(program: Program): Operation | null {
  const { random } = program
  const partner = random.pick(program.partners)
  const isTaken = random.happens(0.2)
  const code = isTaken ? random.pick(program.links).code : newCode(program)
  const destination_url = random.happens(0.5) ? "https://shop.example/spring" : undefined
  const at = newMoment()
  const body = { partner_id: partner.id, code, destination_url }
  const request = {
    ...management(program, "POST", "/referral-links", body),
    kind: "link",
    about: [`partner ${partner.id}`],
    at,
  }
  const isRemoved = partner.status === "removed"
  if (isRemoved && program.status === "archived") return null // two refusals: either may come first
  if (isRemoved) return { ...request, status: 400, expected: error }
  if (program.status === "archived" || isTaken) return { ...request, status: 409, expected: error }
  const link = { ...newLink(partner, code, at), destination_url: destination_url ?? null }
  const store = (link: Link) => {
    program.links.push(link)
    partner.links.push(link)
  }
  return {
    ...request,
    status: 201,
    expected: { data: linkView(link) },
    repeated: { status: 409, expected: error },
    apply: () => store(link),
    applyRepeated: async send => {
      store(link)
      await learnFrom(send, program, "/referral-links", { code }, linkView(link))
    },
  }
}

export function changeLink(program: Program): Operation {
  const { random } = program
  const link = random.pick(program.links)
  const status = random.happens(0.75) ? "active" : "inactive"
  const destination_url = random.happens(0.5) ? "https://shop.example/autumn" : null
  const request = {
    ...management(program, "PUT", `/referral-links/${link.id}`, { status, destination_url }),
    kind: "change link",
    about: [`link ${link.code}`],
    at: newMoment(),
  }
  if (program.status === "archived") return { ...request, status: 409, expected: error }
  return {
    ...request,
    status: 200,
    expected: { data: linkView({ ...link, status, destination_url }) },
    apply: () => {
      Object.assign(link, { status, destination_url })
    },
  }
}

/** Learns the ids of what a lost answer created from a list. */
async function learnFrom(send: Send, program: Program, path: string, by: object, view: object) {
  const rows = await readPages(send, program.owner.session, managed(program, path))
  const [[field, value]] = Object.entries(by) as [[string, unknown]]
  differences(
    view,
    rows.find(row => row[field] === value),
  )
}

type Fields = Pick<Partner, "email" | "name" | "group" | "at">

const newPartner = (fields: Fields): Partner => ({
  id: 0,
  status: "approved",
  clicks: 0,
  links: [],
  balances: new Map(),
  entries: [],
  notices: [],
  account: null,
  ...fields,
})

const newLink = (partner: Partner, code: string, at: Link["at"]): Link => ({
  id: 0,
  code,
  status: "active",
  destination_url: null,
  clicks: 0,
  last_clicked: null,
  partner,
  at,
})

const newEmail = (program: Program) => `partner-${program.number}-${++program.serial}@example.com`
const newCode = (program: Program) => `code-${program.id}-${++program.serial}`
