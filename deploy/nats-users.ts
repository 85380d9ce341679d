import { join } from "node:path"
import type { Operation } from "../lib/bus/operation"
import { SERVICE_NAMES } from "./part"

const root = join(import.meta.dir, "..")
const ANSWER_WITHIN = "15m" // as long as an audit waits for the longest answer

export type NatsUser = {
  user: string
  variable: string // of nats-server's environment: its password
  permissions: {
    publish: string[]
    subscribe: string[]
    allow_responses?: { max: number; expires: string }
  }
}

/**
 * Who may say and hear what on NATS. Each part serves its own subjects, in its queue group, and
 * asks the questions that its code names; `operator` asks those of `npm run audit`.
 */
export async function natsUsers(): Promise<NatsUser[]> {
  const folders = {
    gateway: "gateway",
    ...Object.fromEntries(SERVICE_NAMES.map(name => [name, `services/${name}`])),
    operator: "deploy",
  }
  return Promise.all(
    Object.entries(folders).map(async ([user, folder]) => ({
      user,
      variable: `${user.toUpperCase()}_PASSWORD`,
      permissions: {
        publish: await operationsCalledIn(folder),
        subscribe: [`_INBOX.${user}.>`, ...(isService(user) ? [`${user}.> ${user}`] : [])],
        ...(isService(user) && { allow_responses: { max: 1, expires: ANSWER_WITHIN } }),
      },
    })),
  )
}

const isService = (user: string) => SERVICE_NAMES.some(name => name === user)

/** The subjects of the operations that a folder's files take from the contracts of others. */
async function operationsCalledIn(folder: string): Promise<string[]> {
  const subjects = new Set<string>()
  for await (const file of new Bun.Glob("**/*.ts").scan(join(root, folder))) {
    const text = await Bun.file(join(root, folder, file)).text()
    for (const [, clause, service] of text.matchAll(CONTRACT_IMPORT)) {
      const operations: Record<string, Partial<Operation>> = await contractOf(service!)
      for (const name of namesIn(clause!, text)) {
        const { subject } = operations[name] ?? {}
        if (subject) subjects.add(subject)
      }
    }
  }
  return [...subjects].sort()
}

const CONTRACT_IMPORT = new RegExp(
  `^import ([^"]*?) from "(?:\\.\\./)+(?:services/)?(${SERVICE_NAMES.join("|")})/contract"$`,
  "gm",
)

const contractOf = (service: string) => import(join(root, "services", service, "contract"))

/** Of `* as tracking` those that the text calls by that name, of a list those in it. */
function namesIn(clause: string, text: string): string[] {
  const [, whole] = /^\* as (\w+)$/.exec(clause) ?? []
  if (whole) return [...text.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, "g"))].map(([, n]) => n!)
  return [...clause.matchAll(/(?<=[{,]\s*)(\w+)/g)].map(([name]) => name)
}

/** The text of nats.conf. JSON, but for the variables, which stand bare. */
export async function natsConf(): Promise<string> {
  const users = (await natsUsers()).map(user => withPassword(user, `$${user.variable}`))
  const authorization = JSON.stringify({ users }, null, 2)
  return `# Written by \`npm run manifests\` from the contracts and those who ask them. The passwords are
# variables of nats-server's environment: texts that begin with a letter.
authorization ${authorization.replace(/"(\$\w+)"/g, "$1")}
`
}

/** A user as nats-server reads it. */
export const withPassword = ({ user, permissions }: NatsUser, password: string) => ({
  user,
  password,
  permissions,
})
