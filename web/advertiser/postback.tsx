import { Screen } from "../parts/screen"
import { PostbackPage, usePostbackTitle } from "../postbacks/postback-page"

/** One of a program's postbacks, or a new one. */
export default function ProgramPostback() {
  return (
    <Screen name="advertiser/postback" title={usePostbackTitle()}>
      <PostbackPage />
    </Screen>
  )
}
