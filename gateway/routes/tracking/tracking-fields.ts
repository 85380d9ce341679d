import type { TSchema } from "@sinclair/typebox"
import { isValid } from "../../../lib/bus/operation"
import { dropperOf } from "../../../lib/descriptive"
import { StatedProgram } from "../../../services/tracking/contract"
import { type Body, fieldsOf } from "../../http/body"
import { isTest } from "./test-mode"

type Fields = Record<string, unknown>

const MAY_BE_EMPTY = ["customer_key", "click_id", "existing_click_id"]

/**
 * Returns a function that reads the fields of a tracking call. Null and empty ids count as absent
 * (behaviour 1.6), and so do malformed fields that only describe the event (behaviour 1.7.3).
 */
export function trackingFields(schema: TSchema): (body: Body) => Fields {
  const dropMalformed = dropperOf(schema)
  return body => {
    const fields = fieldsOf(body)
    dropNulls(fields)
    for (const name of MAY_BE_EMPTY) if (fields[name] === "") delete fields[name]
    dropMalformed(fields)

    const additional = fields.additional_data as Fields | undefined
    if (additional) {
      dropNulls(additional)
      if (!isTest(fields)) dropMalformedProgram(additional)
    }
    return fields
  }
}

function dropNulls(fields: Fields) {
  for (const name in fields) if (fields[name] === null) delete fields[name]
}

/** The program of a real event follows from its link or token. Only test mode reads this field. */
function dropMalformedProgram(additional: Fields) {
  if (!isValid(StatedProgram, additional.program_id)) delete additional.program_id
}
