import { basename, relative, resolve } from "node:path"
import type { BunPlugin } from "bun"

/** A file that the pages load, with a name that changes with its content. */
type WebFile = { type: string; text: string }

/** The bundled pages: their files by name, and which of them a shell refers to. */
export type Bundle = {
  files: Map<string, WebFile>
  script: string
  style: string
  /** The chunk of each screen, by the screen's file: "advertiser/overview". */
  chunks: Map<string, string>
}

/** What the pages know of the API without asking: see constants.ts. */
type Constants = Record<"OPERATIONS" | "ROLES" | "EXPONENTS", object>

const NAMING = "[name]-[hash].[ext]"

/** Bundles the pages in memory. Runs once, when the gateway starts. `plugins` may change sources. */
export async function build(constants: Constants, plugins: BunPlugin[] = []): Promise<Bundle> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: [`${import.meta.dir}/main.tsx`, `${import.meta.dir}/style/main.css`],
    root: import.meta.dir,
    target: "browser",
    splitting: true,
    minify: true,
    metafile: true,
    plugins,
    publicPath: "/web/",
    naming: { entry: NAMING, chunk: NAMING, asset: NAMING },
    define: {
      "process.env.NODE_ENV": '"production"',
      ...Object.fromEntries(
        Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)]),
      ),
    },
  })

  const files = new Map<string, WebFile>()
  for (const output of outputs) {
    const text = await output.text()
    const type = output.path.endsWith(".css") ? "text/css" : "text/javascript"
    files.set(basename(output.path), { type, text })
  }

  const chunks = new Map<string, string>()
  for (const [path, { entryPoint }] of Object.entries(metafile!.outputs)) {
    if (!entryPoint) continue
    const source = relative(import.meta.dir, resolve(entryPoint))
    chunks.set(source.replace(/\.\w+$/, ""), basename(path))
  }
  return { files, script: chunks.get("main")!, style: chunks.get("style/main")!, chunks }
}
