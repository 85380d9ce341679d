/** What the query of a route must have, else it is 400. */
export const QUERIES: Record<string, string[]> = {
  "GET    /api/advertiser/affiliate-programs/:id/decisions": ["sale_id=:saleId"],
  "GET    /api/partner/decisions": ["sale_id=:partnerSaleId"],
}
