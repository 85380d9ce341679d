import { type TObject, Type } from "@sinclair/typebox"
import type { ComponentType } from "preact"
import { call } from "../../../lib/bus/bus"
import { asFault, type Fault } from "../../../lib/fault"
import { showInvitation } from "../../../services/identity/contract"
import { POLICY } from "../../../web/document"
import { Invitation } from "../../../web/public/invitation"
import type { FormViewOf } from "../../../web/public/page"
import { renderPublic } from "../../../web/public/render"
import { SignIn } from "../../../web/public/sign-in"
import { SignUp } from "../../../web/public/sign-up"
import { words as invitationWords } from "../../../web/words/en/invitation"
import { words } from "../../../web/words/en/sign-in"
import { anyone } from "../../http/access"
import { refuseAsPage } from "../../http/refusal-page"
import { type Route, route, Text } from "../../http/route"
import { entrances } from "../account/auth"
import { limitPublic } from "../public/programs"
import type { bundleOf } from "./bundle"

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "cache-control": "no-store",
}

const PATH = /^\/(?![/\\])/ // of this origin
const TYPED_BYTES_MAX = 64 * 1024

/** Where to go on after signing in, and the token of an invitation. */
const Query = Type.Object({
  next: Type.Optional(Type.String({ maxLength: 2_048 })),
  token: Type.Optional(Type.String({ maxLength: 255 })),
})

type Entrance = (typeof entrances)[keyof typeof entrances]
type Form = {
  id: string
  path: string
  title: string
  view: ComponentType<FormViewOf<never>>
  entrance: Entrance
  /** What the view shows beside the form. Throws if there is no form to show. */
  learn?: (fields: Record<string, string>) => Promise<unknown>
}

/** The public pages that begin a session. They work without JavaScript (behaviour 17.13). */
export function forms(bundle: () => ReturnType<typeof bundleOf>): Route[] {
  return [
    {
      id: "signIn",
      path: "/sign-in",
      title: words.signIn,
      view: SignIn,
      entrance: entrances.signIn,
    },
    {
      id: "signUp",
      path: "/sign-up",
      title: words.signUp,
      view: SignUp,
      entrance: entrances.signUp,
    },
    {
      id: "invitation",
      path: "/invitation",
      title: invitationWords.title,
      view: Invitation as ComponentType<FormViewOf<never>>,
      entrance: entrances.acceptInvitation,
      learn: ({ token = "" }) => call(showInvitation, { token }),
    },
  ].flatMap(form => [show(form, bundle), take(form, bundle)])
}

function show(form: Form, bundle: () => ReturnType<typeof bundleOf>) {
  const { id, path, title, learn } = form
  return route(
    {
      id: `${id}Page`,
      method: "GET",
      path,
      summary: `Get the page "${title}"`,
      access: anyone,
      ...(learn && { limit: limitPublic }),
      query: [Query],
      texts: ["text/html"],
      answers: { 200: Text },
    },
    async ({ set, query, request }) => {
      const fields = query.token ? { token: query.token } : ({} as Record<string, string>)
      const html = await render(form, request, fields, await bundle())
      Object.assign(set.headers, HEADERS)
      return html
    },
  ) as unknown as Route
}

/** The page of a form. `refusal`: why it was refused. */
async function render(
  { title, view, learn }: Form,
  request: Request,
  fields: Record<string, string>,
  bundle: Awaited<ReturnType<typeof bundleOf>>,
  refusal: Fault | null = null,
) {
  const { known, fault } = learn ? await learned(learn(fields)) : { known: null, fault: null }
  const error = (fault ?? refusal)?.message ?? null
  return renderPublic(bundle, title, view, {
    fields,
    error,
    query: toGoOn(request),
    known: known as never,
  })
}

/** What the view shows, or why there is no form to show. */
async function learned(learning: Promise<unknown>) {
  try {
    return { known: await learning, fault: null }
  } catch (error) {
    const fault = asFault(error)
    if (fault.kind !== "invalid") throw fault
    return { known: null, fault }
  }
}

/** Does what the API's operation does, with the same refusals: the form again, with the sentence. */
function take(form: Form, bundle: () => ReturnType<typeof bundleOf>) {
  const { id, path, title, entrance } = form
  const { enter, body, ...checks } = entrance
  const { declaration, handle } = route(
    {
      id: `${id}Form`,
      method: "POST",
      path,
      summary: `Send the form of the page "${title}"`,
      ...checks,
      query: [Query],
      body: body as TObject,
      isForm: true,
      answers: {
        303: "Signed in. The page to go on with is in `Location`.",
        401: "The e-mail address or the password is wrong.",
        403: "The form was sent by a page of another site, or sign-up is by invitation only.",
        409: "The account exists, or the invitation cannot be accepted.",
      },
    },
    async ({ request, set, body }) => {
      await enter({ request, set, body: body as never })
      set.status = 303
      set.headers.location = nextOf(request) ?? "/"
      return ""
    },
  ) as unknown as Route

  const handleForm: Route["handle"] = async context => {
    const { request } = context
    const copy = request.clone()
    try {
      return await handle(context)
    } catch (error) {
      const fault = asFault(error)
      const fields = await typedIn(copy)
      const html = await render(form, request, fields, await bundle(), fault)
      throw refuseAsPage(fault, { html, headers: HEADERS })
    }
  }
  return { declaration, handle: handleForm }
}

/** The page to go on with after signing in, if it is one of this origin. */
function nextOf({ url }: Request): string | null {
  const next = new URL(url).searchParams.get("next")
  return next && PATH.test(next) ? next : null
}

/** Keeps that page in the form's address, and nothing else of the query. */
function toGoOn(request: Request): string {
  const next = nextOf(request)
  return next ? `?${new URLSearchParams({ next })}` : ""
}

/** What was typed stands in the form again, except the password. */
async function typedIn(form: Request): Promise<Record<string, string>> {
  if (Number(form.headers.get("content-length")) > TYPED_BYTES_MAX) return {}
  const text = await form.text().catch(() => "")
  const { password, ...fields } = Object.fromEntries(new URLSearchParams(text))
  return fields
}
