export type RequestOptions = { token?: string; body?: unknown; headers?: Record<string, string> }
export type Reply = { status: number; headers: Headers; body: any } // any: each caller knows it

/**
 * Returns a function that calls the Tributary at `url`. A body that is neither text nor bytes is
 * sent as JSON, and a JSON response is parsed.
 */
export const httpClient =
  (url: string, settings: RequestInit = {}) =>
  async (method: string, path: string, options: RequestOptions = {}): Promise<Reply> => {
    const request = { method, redirect: "manual", ...settings, ...encoded(options) } as const
    const response = await fetch(`${url}${path}`, request)
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.startsWith("application/json")
    const { status, headers } = response
    return { status, headers, body: isJson ? JSON.parse(text) : text }
  }

/** As `httpClient`, for set-ups: returns `data` of the reply, or the whole reply. Throws unless 2xx. */
export function succeedingClient(url: string) {
  const send = httpClient(url)
  return async (method: string, path: string, options?: RequestOptions): Promise<any> => {
    const { status, body } = await send(method, path, options)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body.data ?? body
  }
}

function encoded({ token, body, headers = {} }: RequestOptions): RequestInit {
  const credential: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  return isEncoded(body)
    ? { headers: { ...credential, ...headers }, body }
    : {
        headers: { "content-type": "application/json", ...credential, ...headers },
        body: JSON.stringify(body),
      }
}

const isEncoded = (body: unknown): body is RequestInit["body"] =>
  body === undefined ||
  typeof body === "string" ||
  ArrayBuffer.isView(body) ||
  body instanceof ReadableStream ||
  body instanceof FormData ||
  body instanceof Blob
