import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an address is on the public internet and in no private network. Takes the plain notation that resolvers and
 * the URL parser produce; anything else, including an address with a zone id, is not public.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIPv4.check(address, 'ipv4')
    case 6:
      return (
        !address.includes('%') &&
        globalIPv6.check(address, 'ipv6') &&
        !specialIPv6.check(address, 'ipv6') &&
        !isIsatap(address)
      )
    default:
      return false
  }
}

/** From the IANA special-purpose address registry, plus public addresses that are known to be internal. */
const SPECIAL_IPV4: [string, number][] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT, and metadata services of some clouds
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // public, but internal to one large cloud
  ['169.254.0.0', 16], // link-local
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112 name servers
  ['192.52.193.0', 24], // multicast relays
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112 name servers
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]

/**
 * Only global unicast is public. That excludes loopback, unspecified, IPv4-mapped and IPv4-compatible addresses, NAT64
 * (64:ff9b::/96, 64:ff9b:1::/48), discard (100::/64), segment routing (5f00::/16), unique-local (fc00::/7), link-local
 * (fe80::/10), site-local (fec0::/10) and multicast (ff00::/8).
 */
const GLOBAL_IPV6: [string, number][] = [['2000::', 3]]

const SPECIAL_IPV6: [string, number][] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID and others
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which can wrap any IPv4 address
  ['2620:4f:8000::', 48], // AS112 name servers
  ['3ffe::', 16], // the former test network
  ['3fff::', 20], // documentation
]

const specialIPv4 = createRanges(SPECIAL_IPV4, 'ipv4')
const globalIPv6 = createRanges(GLOBAL_IPV6, 'ipv6')
const specialIPv6 = createRanges(SPECIAL_IPV6, 'ipv6')

function createRanges(ranges: [string, number][], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, bits] of ranges) list.addSubnet(network, bits, family)
  return list
}

/** An ISATAP interface id holds an IPv4 address, to which a tunnel would send the packets. */
function isIsatap(address: string): boolean {
  const { parts } = ipaddr.IPv6.parse(address)
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)
}
