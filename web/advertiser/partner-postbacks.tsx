import { Screen } from "../parts/screen"
import { CreatePostback, Postbacks } from "../postbacks/postbacks"

/** What a program tells the tracker of one partner, set up by the advertiser. */
export default function PartnerPostbacks() {
  return (
    <Screen name="advertiser/partner-postbacks" actions={<CreatePostback />}>
      <Postbacks />
    </Screen>
  )
}
