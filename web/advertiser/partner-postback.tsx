import { Screen } from "../parts/screen"
import { PostbackPage, usePostbackTitle } from "../postbacks/postback-page"

/** One of the postbacks that an advertiser set up for a partner, or a new one. */
export default function PartnerPostback() {
  return (
    <Screen name="advertiser/partner-postback" title={usePostbackTitle()}>
      <PostbackPage />
    </Screen>
  )
}
