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
  const gzipped = Bun.gzipSync(text, { level: 9 })
  if (gzipped.byteLength > SIZE_MAX_BYTES)
    throw new Error("service-tracker.js is larger than 4 KiB gzipped.")
  return { text, gzipped, etag: `W/"${Bun.SHA256.hash(text, "hex").slice(0, 32)}"` }
}
