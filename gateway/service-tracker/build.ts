import { staticFile } from "../http/static-file"

const SIZE_MAX_BYTES = 4 * 1024 // gzipped (behaviour 8.1)

/** Bundles the browser script into one text. Runs once, when the gateway starts. */
export async function build() {
  const { outputs } = await Bun.build({
    entrypoints: [`${import.meta.dir}/script.ts`],
    target: "browser",
    format: "iife",
    minify: true,
  })
  const text = await outputs[0]!.text()
  const script = staticFile("text/javascript", text)
  if (script.gzipped.byteLength > SIZE_MAX_BYTES)
    throw new Error("service-tracker.js is larger than 4 KiB gzipped.")
  return script
}
