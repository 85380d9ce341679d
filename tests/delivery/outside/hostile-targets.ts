/** Addresses that are not globally reachable, of each kind that IANA's registries know. */
const IPV4 = [
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.127.255.254",
  "169.254.169.254",
  "169.254.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "192.168.255.255",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
]

const bytesOf = (address: string) => address.split(".").map(Number)
const numberOf = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0)
const hexOf = (address: string) => {
  const digits = numberOf(address).toString(16).padStart(8, "0")
  return `${digits.slice(0, 4)}:${digits.slice(4)}`
}

/** One address as it can be written in a URL, itself or wrapped in an IPv6 address. */
const spellings = (address: string) => [
  address,
  `${numberOf(address)}`,
  `0x${numberOf(address).toString(16)}`,
  `0${numberOf(address).toString(8)}`,
  `[::ffff:${address}]`,
  `[::ffff:${hexOf(address)}]`,
  `[64:ff9b::${hexOf(address)}]`,
  `[2002:${hexOf(address)}::1]`,
]

const OTHERS = [
  "127.1",
  "127.0.1",
  "0x7f.1",
  "0x7f.0x0.0x0.0x1",
  "0177.0.0.1",
  "0177.0.0.01",
  "127.0.0.1.",
  "0",
  "0x0",
  "%31%32%37.0.0.1",
  "１２７.0.0.1",
  "①②⑦.0.0.1",
  "127。0。0。1",
  "[::]",
  "[::1]",
  "[::2]",
  "[0:0:0:0:0:0:0:1]",
  "[::127.0.0.1]",
  "[::7f00:1]",
  "[::5db8:d70e]", // ::/96 of a public address
  "[::ffff:0:127.0.0.1]",
  "[64:ff9b:1::7f00:1]",
  "[64:ff9b:1::5db8:d70e]",
  "[100::1]",
  "[2001::1]",
  "[2001:2::1]",
  "[2001:10::1]",
  "[2001:20::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[4000::1]",
  "[5f00::1]",
  "[fc00::1]",
  "[fd00::1]",
  "[fd00:ec2::254]", // metadata of a cloud
  "[fe80::1]",
  "[fec0::1]",
  "[ff02::1]",
  "localhost",
  "LOCALHOST",
  "localhost.",
]

/** What may stand as the host of a URL and must not be connected to. */
export const HOSTILE_HOSTS = [...IPV4.flatMap(spellings), ...OTHERS]

/** Addresses that resolvers give for a hostile name. */
export const HOSTILE_ANSWERS = [
  ...IPV4,
  ...IPV4.map(address => `::ffff:${address}`),
  "::1",
  "::7f00:1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::1",
  "fd00::1",
  "fe80::1",
  "fe80::1%lo",
  "127.0.0.1.",
  "not an address",
]
