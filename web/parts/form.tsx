import type { ComponentChildren, JSX } from "preact"
import { useOnline } from "../frame/banner"
import { Trouble } from "./states"

/**
 * A form that hands its fields, by name, to `onSubmit`. What was typed stays until the form goes
 * away. The button names its deed.
 */
export function Form({
  action,
  children,
  error,
  isBusy = false,
  onSubmit,
  isDangerous = false,
}: {
  action: string
  children?: ComponentChildren
  error?: Error | null
  isBusy?: boolean
  onSubmit(fields: Record<string, string>): void
  isDangerous?: boolean
}) {
  const isOnline = useOnline()
  const submit = (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [
      name,
      `${value}`,
    ])
    onSubmit(Object.fromEntries(entries))
  }
  return (
    <form onSubmit={submit}>
      {children}
      <Trouble error={error} isWrite />
      <div class="actions">
        <button
          type="submit"
          class={isDangerous ? "danger" : "primary"}
          disabled={isBusy || !isOnline}
        >
          {action}
        </button>
      </div>
    </form>
  )
}
