import { database } from "../../lib/db"

export const sql = database("reporting")
