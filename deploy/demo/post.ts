/** Returns a function that posts to the API. It throws what the API refuses. */
export const postTo = (address: string) => async (path: string, token: string, body?: object) => {
  const response = await fetch(`${address}${path}`, {
    method: "POST",
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  })
  const { data, error } = (await response.json()) as { data: any; error: string } // any: it varies by path
  if (!response.ok) throw new Error(`Could not create the demo: POST ${path} failed: "${error}"`)
  return data
}
