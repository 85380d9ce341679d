import type { Options } from "./options"
import type { Tracker } from "./tracker"

/**
 * Sends a lead for each submitted form that matches `data-lead-form`. It listens on the document,
 * before the page's own listeners, so it also sees forms that are added later or stop the event.
 * The lead is sent beside the submit and never delays it.
 */
export function watchForms({ leadForm, customerKeyField }: Options, { signup }: Tracker) {
  if (!leadForm) return
  document.addEventListener(
    "submit",
    ({ target: form }) => {
      try {
        if (![...document.querySelectorAll(leadForm)].includes(form as Element)) return
        const email = valueIn(form, "[type=email]") ?? valueIn(form, "[name*=email i]")
        signup(customerKeyField && keyIn(form, customerKeyField), email)
      } catch (error) {
        console.warn("[service-tracker]", error) // most likely an invalid CSS selector
      }
    },
    true,
  )
}

function keyIn(form: EventTarget | null, field: string) {
  const quoted = JSON.stringify(field) // unquoted, a name like "user[id]" would select other things
  const named = valueIn(form, `[name=${quoted}],[id=${quoted}]`)
  return named ?? (/^[#.[]/.test(field) ? valueIn(form, field) : undefined)
}

/** Compares each field's form, because a field named "elements" would hide the form's own list. */
function valueIn(form: EventTarget | null, selector: string) {
  const fields = document.querySelectorAll<HTMLInputElement>(selector)
  return [...fields].find(field => field.form === form)?.value
}
