import { Screen } from "../parts/screen"
import { CreatePostback, Postbacks } from "../postbacks/postbacks"

/** What a program tells a tracker of the advertiser. */
export default function ProgramPostbacks() {
  return (
    <Screen name="advertiser/postbacks" actions={<CreatePostback />}>
      <Postbacks />
    </Screen>
  )
}
