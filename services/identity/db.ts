import { database } from "../../lib/db/pool"

export const sql = database("identity")
