import { join } from "node:path"
import type { Operation } from "../lib/bus/operation"
import { SERVICE_NAMES } from "./part"

const root = join(import.meta.dir, "..")
const REPLY_TIMEOUT = "15m" // as long as `npm run audit` waits for a reply

export type NatsUser = {
  user: string
  variable: string // the environment variable of nats-server with the password
  permissions: {
    publish: string[]
    subscribe: string[]
    allow_responses?: { max: number; expires: string }
  }
}

/**
 * Returns the NATS users and their permissions. Each part may serve its own subjects, in its queue
 * group, and call the operations that its code names. `operator` may call those of `npm run audit`.
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
        ...(isService(user) && { allow_responses: { max: 1, expires: REPLY_TIMEOUT } }),
      },
    })),
  )
}

const isService = (user: string) => SERVICE_NAMES.some(name => name === user)

/** Returns the subjects of the operations that a folder's files use from service contracts. */
async function operationsCalledIn(folder: string): Promise<string[]> {
  const subjects = new Set<string>()
  for await (const file of new Bun.Glob("**/*.ts").scan(join(root, folder))) {
    const text = await Bun.file(join(root, folder, file)).text()
    for (const [, clause, service] of text.matchAll(CONTRACT_IMPORT)) {
      const operations: Record<string, Partial<Operation>> = await contractOf(service!)
      for (const name of importedNames(clause!, text)) {
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

/** Returns the names in an import list; for `* as x`, the names that the text uses as `x.name`. */
function importedNames(clause: string, text: string): string[] {
  const [, namespace] = /^\* as (\w+)$/.exec(clause) ?? []
  if (namespace) {
    const uses = text.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, "g"))
    return [...uses].map(([, name]) => name!)
  }
  return [...clause.matchAll(/(?<=[{,]\s*)(\w+)/g)].map(([name]) => name)
}

/** Returns the text of nats.conf: JSON, except for the variables, which have no quotes. */
export async function natsConf(): Promise<string> {
  const users = (await natsUsers()).map(user => withPassword(user, `$${user.variable}`))
  const authorization = JSON.stringify({ users }, null, 2)
  return `# Written by \`npm run manifests\` from the operations and their callers. The passwords
# are environment variables of nats-server. Their values must begin with a letter.
authorization ${authorization.replace(/"(\$\w+)"/g, "$1")}
`
}

/** Returns a user in the format of nats.conf. */
export const withPassword = ({ user, permissions }: NatsUser, password: string) => ({
  user,
  password,
  permissions,
})
