import { CreatePostback, Postbacks } from "../postbacks/postbacks"
import { PartnerScreen } from "./partner-screen"

/** The postbacks that a partner's own tracker receives. */
export default function PartnerPostbacks() {
  return (
    <PartnerScreen name="partner/postbacks" actions={<CreatePostback />}>
      <Postbacks />
    </PartnerScreen>
  )
}
