import type { Random } from "../../../lib/random"
import type { Program } from "../state"
import type { World } from "../world"
import { click } from "./click"
import { eraseCustomer } from "./erase"
import { addGroup, changeGroup } from "./groups"
import { lead } from "./lead"
import type { Operation } from "./operation"
import { addLink, addPartner, changeLink, changePartner } from "./partners"
import { archive, changeProgram, newToken } from "./programs"
import { refund } from "./refund"
import { malformed, wrongToken } from "./refusals"
import { sale } from "./sale"
import { settle } from "./settle"
import { testMode } from "./test-mode"

type Make = (program: Program, world: World) => Operation | null
type Choice = [weight: number, make: Make]

const CHOICES: Choice[] = [
  [300, click],
  [190, lead],
  [200, sale],
  [90, refund],
  [90, settle],
  [15, changePartner],
  [5, addPartner],
  [8, addLink],
  [10, changeLink],
  [4, addGroup],
  [10, changeGroup],
  [10, changeProgram],
  [2, newToken],
  [20, testMode],
  [20, malformed],
  [10, wrongToken],
  [6, eraseCustomer],
]
const TOTAL = CHOICES.reduce((sum, [weight]) => sum + weight, 0)
const ARCHIVE_PROBABILITY = 1 / 3_000

/** The next operation of a program. */
export function chooseOperation(program: Program, world: World): Operation {
  if (program.random.happens(ARCHIVE_PROBABILITY)) return archive(program)
  return chooseFrom(program.random)(program, world) ?? click(program, world)
}

function chooseFrom(random: Random) {
  let dice = random.below(TOTAL)
  for (const [weight, make] of CHOICES) {
    if (dice < weight) return make
    dice -= weight
  }
  throw new Error("The weights do not add up.")
}
