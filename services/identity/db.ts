import { database } from "../../lib/db/db"

export const sql = database("identity")
