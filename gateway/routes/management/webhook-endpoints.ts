import { call } from "../../../lib/bus/bus"
import { Page } from "../../../lib/fields"
import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  Endpoint,
  EndpointChanges,
  enableEndpoint,
  listEndpoints,
  NewEndpoint,
  Rotation,
  rotateSecret,
  showEndpoint,
  updateEndpoint,
} from "../../../services/delivery/contract"
import { memberOrKey, workspace } from "../../http/access"
import { managerOf, programIdsOf, workspaceOf } from "../../http/caller"
import { Listed, listOf } from "../../http/list"
import { pathId } from "../../http/query"
import { One, route } from "../../http/route"

export const PATH = "/api/advertiser/webhook-endpoints"
const SAVE_TIMEOUT_MS = 3_000 // delivery resolves the host of the URL, for up to 2 s

/** The endpoint of the path, in the workspace that X-Workspace-Id names or the caller's default. */
export const oneEndpoint = {
  ...memberOrKey("webhook:manage"),
  choosesWorkspace: true as const,
  async authorize(request: Request, params: Record<string, string>) {
    const caller = await managerOf(request)
    const workspace_id = await workspaceOf(request, caller, "webhook:manage")
    const endpoint_id = pathId(params.id)
    const target = { workspace_id, endpoint_id, limited_to: programIdsOf(caller) }
    return { target, endpoint: await call(showEndpoint, target) }
  },
}

/** Where an advertiser receives events (behaviour 12.2). */
export const webhookEndpoints = [
  route(
    {
      id: "createWebhookEndpoint",
      method: "POST",
      path: PATH,
      summary: "Create a webhook endpoint. Its secret is shown only once",
      access: workspace("webhook:manage"),
      body: NewEndpoint,
      answers: {
        201: One(createEndpoint.reply),
        409: "The workspace has as many endpoints as it may.",
      },
    },
    async ({ caller, workspace_id, body: endpoint }) => {
      const request = { workspace_id, limited_to: programIdsOf(caller), endpoint }
      return { data: await call(createEndpoint, request, SAVE_TIMEOUT_MS) }
    },
  ),
  route(
    {
      id: "listWebhookEndpoints",
      method: "GET",
      path: PATH,
      summary: "List the webhook endpoints of a workspace",
      access: workspace("webhook:manage"),
      query: [Page],
      answers: { 200: Listed(Endpoint) },
    },
    async ({ caller, workspace_id, page }) => {
      const request = { workspace_id, limited_to: programIdsOf(caller), page }
      const { rows, total } = await call(listEndpoints, request)
      return listOf(rows, total, page)
    },
  ),
  route(
    {
      id: "showWebhookEndpoint",
      method: "GET",
      path: `${PATH}/:id`,
      summary: "Show a webhook endpoint",
      access: oneEndpoint,
      answers: { 200: One(Endpoint) },
    },
    ({ endpoint }) => ({ data: endpoint }),
  ),
  route(
    {
      id: "updateWebhookEndpoint",
      method: "PUT",
      path: `${PATH}/:id`,
      summary: "Change a webhook endpoint",
      access: oneEndpoint,
      body: EndpointChanges,
      answers: { 200: One(Endpoint) },
    },
    async ({ target, body: changes }) => ({
      data: await call(updateEndpoint, { ...target, changes }, SAVE_TIMEOUT_MS),
    }),
  ),
  route(
    {
      id: "deleteWebhookEndpoint",
      method: "DELETE",
      path: `${PATH}/:id`,
      summary: "Delete a webhook endpoint with its secrets",
      access: oneEndpoint,
      answers: { 200: One(Endpoint) },
    },
    async ({ target }) => ({ data: await call(deleteEndpoint, target) }),
  ),
  route(
    {
      id: "enableWebhookEndpoint",
      method: "POST",
      path: `${PATH}/:id/enable`,
      summary: "Enable a webhook endpoint",
      access: oneEndpoint,
      answers: { 200: One(Endpoint), 409: "The endpoint has no secret." },
    },
    async ({ target }) => ({ data: await call(enableEndpoint, target) }),
  ),
  route(
    {
      id: "disableWebhookEndpoint",
      method: "POST",
      path: `${PATH}/:id/disable`,
      summary: "Disable a webhook endpoint",
      access: oneEndpoint,
      answers: { 200: One(Endpoint) },
    },
    async ({ target }) => ({ data: await call(disableEndpoint, target) }),
  ),
  route(
    {
      id: "rotateWebhookSecret",
      method: "POST",
      path: `${PATH}/:id/rotate-secret`,
      summary: "Replace the secret of a webhook endpoint. The new one is shown only once",
      access: oneEndpoint,
      body: Rotation,
      mayOmitBody: true,
      answers: { 200: One(rotateSecret.reply) },
    },
    async ({ target, body }) => ({ data: await call(rotateSecret, { ...target, ...body }) }),
  ),
]
