import { Type } from "@sinclair/typebox"
import { operation } from "./contract"

/** Answers if the service and its database do. */
export const healthOf = (service: string) =>
  operation(`${service}.health.show`, { request: Type.Object({}), reply: Type.Object({}) })
