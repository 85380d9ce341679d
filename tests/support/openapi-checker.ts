import Ajv2020, { type ValidateFunction } from "ajv/dist/2020"

type Answer = { status: number; headers: Headers; body: unknown }
type Operation = { responses: Record<string, { $ref?: string; content?: Content }> }
type Content = Record<string, unknown>
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, { content: Content }> }
}

/**
 * Checks responses against /openapi.json: the status, the content type and every field of the body
 * must be documented. Anything else throws, which fails the test that sent the request.
 */
export async function openapiChecker(url: string) {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document
  closeObjects(document)
  const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false })
  ajv.addSchema({ ...document, $id: "openapi" })

  const parameters = (path: string) => path.split("{").length
  const templates = Object.keys(document.paths)
    .sort((one, other) => parameters(one) - parameters(other)) // a word before a parameter
    .map(path => ({ path, pattern: patternOf(path) }))
  const checks = new Map<string, ValidateFunction>()

  return (method: string, url_path: string, answer: Answer) => {
    if (method === "OPTIONS") return // a CORS preflight
    const [requested = ""] = url_path.split(/[?#]/)
    const path = templates.find(({ pattern }) => pattern.test(requested))?.path
    const name = method === "HEAD" ? "get" : method.toLowerCase()
    const operation = path === undefined ? undefined : document.paths[path]![name]
    const where = `${method} ${requested} answered ${answer.status}`
    if (!path || !operation) return assertThat([400, 404, 405].includes(answer.status), where)

    const listed = operation.responses[answer.status]
    assertThat(listed, `${where}, which is not documented`)
    const { content, at } = contentOf(document, path, name, answer.status)
    if (method === "HEAD" || !content) return

    const [type = ""] = (answer.headers.get("content-type") ?? "").split(";")
    assertThat(Object.hasOwn(content, type), `${where} as ${type}, which is not documented`)
    const pointer = `openapi#${at}/content/${escaped(type)}/schema`
    const check = checks.get(pointer) ?? ajv.compile({ $ref: pointer })
    checks.set(pointer, check)
    assertThat(
      check(answer.body),
      `${where} with ${JSON.stringify(answer.body)?.slice(0, 2_000)}, ${ajv.errorsText(check.errors)}`,
    )
  }
}

function contentOf(document: Document, path: string, method: string, status: number) {
  const response = document.paths[path]![method]!.responses[status]!
  const shared = response.$ref?.split("/").at(-1)
  return shared
    ? {
        content: document.components.responses[shared]!.content,
        at: `/components/responses/${shared}`,
      }
    : {
        content: response.content,
        at: `/paths/${escaped(path)}/${method}/responses/${status}`,
      }
}

const escaped = (text: string) =>
  encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"))

const patternOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`)

function assertThat(isGood: unknown, message: string): asserts isGood {
  if (!isGood) throw new Error(message)
}

/** Makes every object strict: an undocumented field is an error here, though not for clients. */
function closeObjects(part: unknown) {
  if (typeof part !== "object" || part === null) return
  for (const child of Object.values(part)) closeObjects(child)
  if ("type" in part && part.type === "object" && "properties" in part) {
    Object.assign(part, { additionalProperties: false })
  }
}
