import { Type } from "@sinclair/typebox"
import { Flag, Id } from "../../lib/fields"

export const TestMode = { test_mode: Type.Optional(Flag) }

export const StatedProgram = Type.Union([Id, Type.String({ pattern: "^[1-9]\\d{0,14}$" })], {
  description: "a program id, as an integer or a string of digits",
})
