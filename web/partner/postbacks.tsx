import { CreatePostback, Postbacks } from "../postbacks/postbacks"
import { PartnerScreen } from "./partner-screen"

/** What a partner's own tracker is told. */
export default function PartnerPostbacks() {
  return (
    <PartnerScreen name="partner/postbacks" actions={<CreatePostback />}>
      <Postbacks />
    </PartnerScreen>
  )
}
