import { database } from "../../lib/db/pool"
import { feedDatabase } from "../../lib/feeds/read-feed-rows"

export const sql = database("identity")
export const feeds_sql = feedDatabase("identity")
