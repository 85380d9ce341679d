import { expect, test } from "bun:test"
import { labelsOf } from "../../services/tracking/origins/labels"

const NONE = {
  partner_click_id: null,
  sub1: null,
  sub2: null,
  sub3: null,
  sub4: null,
  sub5: null,
}

test.each([
  ["nothing", "", {}],
  ["pcid", "pcid=c1", { partner_click_id: "c1" }],
  ["pcid before its other names", "cid=a&clickid=b&pcid=c", { partner_click_id: "c" }],
  ["another name if pcid is empty", "pcid=&external_id=d", { partner_click_id: "d" }],
  ["aff_click_id", "aff_click_id=e", { partner_click_id: "e" }],
  [
    "all sub ids",
    "sub1=a&sub2=b&sub3=c&sub4=d&sub5=e",
    { sub1: "a", sub2: "b", sub3: "c", sub4: "d", sub5: "e" },
  ],
  [
    "their other names",
    "aff_sub=a&s2=b&subid3=c&aff_sub4=d&s5=e",
    { sub1: "a", sub2: "b", sub3: "c", sub4: "d", sub5: "e" },
  ],
  [
    "percent-encoded ones",
    "pcid=a%26b%20%C3%A9&%73ub2=x",
    { partner_click_id: "a&b é", sub2: "x" },
  ],
  ["the first of two", "pcid=a&pcid=b", { partner_click_id: "a" }],
  ["none with NUL", "pcid=a%00b", {}],
  ["at most 255 characters", `pcid=${"x".repeat(300)}`, { partner_click_id: "x".repeat(255) }],
  ["no others", "sub6=a&email=b&PCID=c", {}],
])("labels: %s", (_what, query, labels) => {
  expect(labelsOf(`https://shop.example/?aff=ada&${query}`)).toEqual({ ...NONE, ...labels })
})

test.each([null, "", "no url"])("there are none in %p", url => {
  expect(labelsOf(url)).toEqual(NONE)
})
