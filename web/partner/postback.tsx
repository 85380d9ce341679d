import { PostbackPage, usePostbackTitle } from "../postbacks/postback-page"
import { PartnerScreen } from "./partner-screen"

/** One of a partner's postbacks, or a new one. */
export default function PartnerPostback() {
  return (
    <PartnerScreen name="partner/postback" title={usePostbackTitle()}>
      <PostbackPage />
    </PartnerScreen>
  )
}
