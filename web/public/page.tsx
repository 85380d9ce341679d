import type { ComponentChildren } from "preact"

/** A page that works without JavaScript: rendered by the gateway, with plain forms. */
export function PublicPage({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="public">
      <p class="brand">Tributary</p>
      <h1>{title}</h1>
      {children}
    </main>
  )
}

/** A form that posts to an address. `error`: why it was refused; what was typed stands in it still. */
export function PlainForm({
  to,
  action,
  error,
  children,
}: {
  to: string
  action: string
  error: string | null
  children: ComponentChildren
}) {
  return (
    <form method="post" action={to} class="card">
      {error && (
        <p class="trouble" role="alert">
          {error}
        </p>
      )}
      {children}
      <div class="actions">
        <button type="submit" class="primary">
          {action}
        </button>
      </div>
    </form>
  )
}

/** What the view of a form gets: what was typed, why it was refused, and its own address. */
export type FormView = {
  fields: Record<string, string>
  error: string | null
  query: string
}

/** What the gateway knows of the form that is shown. Null: nothing. */
export type FormViewOf<Known> = FormView & { known: Known | null }
