import { sql } from "./world"

/** What reports break down by, beside partner and link. */
export const LOOK = sql`geo_country, device_type, browser_name, referrer_host, sub_id`

/** Values for it; now and then there is none. */
export const anyLook = sql`
  (array['DE', 'US', null])[1 + floor(random() * 3)],
  (array['desktop', 'mobile', 'bot'])[1 + floor(random() * 3)],
  (array['Chrome', 'Safari', null])[1 + floor(random() * 3)],
  (array['www.example.com', 'news.example', null])[1 + floor(random() * 3)],
  nullif(floor(random() * 30), 0)::text
`
