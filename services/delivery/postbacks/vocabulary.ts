import { aliasesOf, DIALECTS, differencesOf } from "./aliases"
import { MACROS, type MacroName } from "./macros"
import { POSTBACK_EVENTS, POSTBACK_STATUSES } from "./postback-values"
import { PRESETS } from "./presets"

const NAMES = Object.keys(MACROS) as MacroName[]

/** All that a template can contain, for pages that help to write one (behaviour 12.5.6). */
export const POSTBACK_VOCABULARY = {
  macros: NAMES.map(name => ({
    name,
    aliases: aliasesOf(name),
    is_number: MACROS[name].isNumber, // may stand in JSON without quotes
  })),
  dialects: DIALECTS.map(name => ({ name, differences: differencesOf(name) })),
  events: [...POSTBACK_EVENTS],
  statuses: [...POSTBACK_STATUSES],
  presets: Object.entries(PRESETS).map(([tracker, query]) => ({ tracker, query })),
}
