import type { Bundle } from "./build"
import { words } from "./words/en/document"
import { words as states } from "./words/en/states"

/** The content policy of every page: it loads from this origin only, and runs no inline script. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ")

const WITHOUT_SCRIPT = `<noscript><main class="public">
<h1>Tributary</h1>
<p>${words.withoutScript}</p>
<p><a href="/docs">${words.reference}</a></p>
</main></noscript>`

/** The shell of a screen: the same for everyone. Its script shows the screen. */
export const shellOf = ({ script, style, chunks }: Bundle, name: string, title: string) =>
  documentOf(
    title,
    [
      `<link rel="stylesheet" href="/web/${style}">`,
      `<link rel="modulepreload" href="/web/${chunks.get(name)}">`,
      `<script type="module" src="/web/${script}"></script>`,
    ],
    `<div id="app"></div>\n${WITHOUT_SCRIPT}`,
  )

/** The page at an address that does not exist. It needs no script. */
export const notFoundOf = ({ style }: Bundle) =>
  documentOf(
    states.notFound,
    [`<link rel="stylesheet" href="/web/${style}">`],
    `<main class="public">
<h1>${states.notFound}</h1>
<p>${states.notFoundText}</p>
<p><a href="/">${states.home}</a></p>
</main>`,
  )

/** An HTML document. `head` and `body` are HTML, `title` is text. */
export const documentOf = (title: string, head: string[], body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${Bun.escapeHTML(title)} · Tributary</title>
<link rel="icon" href="data:,">
${head.join("\n")}
</head>
<body>
${body}
</body>
</html>
`
