import type { Options } from "./options"
import type { Tracker } from "./tracker"

/**
 * Sends the lead of each matching form that is submitted (`data-lead-form`). It listens at the
 * document, before the page's own listeners, so forms that are added later or stop the event count
 * too; the lead goes out beside the submit and never holds it up.
 */
export function watchForms({ lead_form, customer_key_field }: Options, { signup }: Tracker) {
  if (!lead_form) return
  document.addEventListener(
    "submit",
    ({ target: form }) => {
      try {
        if (![...document.querySelectorAll(lead_form)].includes(form as Element)) return
        const email = valueIn(form, "[type=email]") ?? valueIn(form, "[name*=email i]")
        signup(customer_key_field && keyIn(form, customer_key_field), email)
      } catch (error) {
        console.warn("[service-tracker]", error) // most likely no CSS selector
      }
    },
    true,
  )
}

function keyIn(form: EventTarget | null, field: string) {
  const text = JSON.stringify(field) // a name like "user[id]" would select other things
  const named = valueIn(form, `[name=${text}],[id=${text}]`)
  return named ?? (/^[#.[]/.test(field) ? valueIn(form, field) : undefined)
}

/** Asks the fields for their form: a field named "elements" would hide the form's own list. */
function valueIn(form: EventTarget | null, selector: string) {
  const fields = document.querySelectorAll<HTMLInputElement>(selector)
  return [...fields].find(field => field.form === form)?.value
}
