import { sql } from "./world"

/** The columns that reports break down by, besides partner and link. */
export const DIMENSION_COLUMNS = sql`geo_country, device_type, browser_name, referrer_host, sub_id`

/** Random values for DIMENSION_COLUMNS, some of them null. */
export const randomDimensions = sql`
  (array['DE', 'US', null])[1 + floor(random() * 3)],
  (array['desktop', 'mobile', 'bot'])[1 + floor(random() * 3)],
  (array['Chrome', 'Safari', null])[1 + floor(random() * 3)],
  (array['www.example.com', 'news.example', null])[1 + floor(random() * 3)],
  nullif(floor(random() * 30), 0)::text
`
