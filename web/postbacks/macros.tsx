import { words } from "../words/en/postbacks"
import type { Vocabulary } from "./postback"

/** Every macro as a button that puts it into the template, with what it stands for. */
export function Macros({
  vocabulary,
  dialect,
  onPick,
}: {
  vocabulary: Vocabulary
  dialect: string
  onPick(macro: string): void
}) {
  const differences = vocabulary.dialects.find(({ name }) => name === dialect)?.differences ?? []
  const taken = new Set(differences.map(({ name }) => name)) // by another macro in this dialect
  return (
    <details class="macros" open>
      <summary>{words.macros}</summary>
      <p class="hint">{words.macrosHint}</p>
      <ul>
        {vocabulary.macros.map(({ name, aliases }) => {
          const written = [name, ...aliases].find(each => !taken.has(each)) ?? name
          return (
            <li key={name}>
              <button type="button" onClick={() => onPick(`{${written}}`)}>
                {`{${written}}`}
              </button>
              <span class="hint">{words.meanings[name]}</span>
            </li>
          )
        })}
      </ul>
    </details>
  )
}
