import { call } from "../../lib/bus/bus"
import type { Page } from "../../lib/fields"
import {
  createPostback,
  deletePostback,
  listPostbacks,
  type NewOwnPostback,
  type Postback,
  type PostbackKey,
  type PostbackOwner,
  updatePostback,
} from "../../services/delivery/contract"
import { listOf } from "./list"

/** What the routes of postbacks do, whose ever the postbacks are. */
export const postbackHandlers = {
  async create({ owner, body: postback }: { owner: PostbackOwner; body: NewOwnPostback }) {
    return { data: await call(createPostback, { owner, postback }, SAVE_TIMEOUT_MS) }
  },
  async list({ owner, page }: { owner: PostbackOwner; page: Page }) {
    const { rows, total } = await call(listPostbacks, { owner, page })
    return listOf(rows, total, page)
  },
  show: ({ postback }: { postback: Postback }) => ({ data: postback }),
  async update({ key, body: changes }: { key: PostbackKey; body: Partial<NewOwnPostback> }) {
    return { data: await call(updatePostback, { ...key, changes }, SAVE_TIMEOUT_MS) }
  },
  async delete({ key }: { key: PostbackKey }) {
    return { data: await call(deletePostback, key, CHANGE_TIMEOUT_MS) }
  },
}

const SAVE_TIMEOUT_MS = 4_000 // delivery resolves the host of the URL, for up to 2 s, and calls others
const CHANGE_TIMEOUT_MS = 3_000 // delivery may call commissions and identity
