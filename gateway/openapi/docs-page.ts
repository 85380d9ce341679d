/** Starts Swagger UI. Without a validator URL it contacts no other host. */
const START = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})`

/** Builds the page /docs and a content policy that lets it load only /openapi.json. */
export async function makePage() {
  const [style, program] = await Promise.all([
    textOf(import.meta.resolve("swagger-ui-dist/swagger-ui.css")),
    textOf(import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js")),
  ])
  const scripts = [program, START]
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tributary API</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="docs"></div>
${scripts.map(script => `<script>${script}</script>`).join("\n")}
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(sourceOf).join(" ")}`,
    `style-src ${sourceOf(style)}`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ")
  return { html, gzipped: Bun.gzipSync(html), policy }
}

const textOf = (url: string) => Bun.file(new URL(url)).text()

const sourceOf = (text: string) => `'sha256-${Bun.SHA256.hash(text, "base64")}'`
