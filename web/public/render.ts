import { type ComponentType, h } from "preact"
import { renderToString } from "preact-render-to-string"
import type { Bundle } from "../build"
import { documentOf } from "../document"

/** The HTML of a public page. */
export const renderPublic = <Props extends object>(
  { style }: Bundle,
  title: string,
  view: ComponentType<Props>,
  props: Props,
): string =>
  documentOf(
    title,
    [`<link rel="stylesheet" href="/web/${style}">`],
    renderToString(h(view, props as never)),
  )
