import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to some host on the open internet, and to no one's inside. Takes the plain notation that
 * resolvers and the URL parser give; anything else, a zone id included, is not public.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !closedIPv4.check(address, 'ipv4')
    case 6:
      return (
        !address.includes('%') &&
        openIPv6.check(address, 'ipv6') &&
        !closedIPv6.check(address, 'ipv6') &&
        !isIsatap(address)
      )
    default:
      return false
  }
}

/** From the IANA registry of special-purpose addresses, and what is known to be somebody's inside. */
const CLOSED_IPV4: [string, number][] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers, and by clouds for their metadata
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // public by number, but the inside of one large cloud
  ['169.254.0.0', 16], // link-local
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // helpers of the name system
  ['192.52.193.0', 24], // multicast relays
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // helpers of the name system
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
]

/**
 * Only global unicast is open. What is outside of it is closed without being named: loopback, unspecified, IPv4-mapped
 * and IPv4-compatible, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), discard (100::/64), segment routing (5f00::/16),
 * unique-local (fc00::/7), link-local (fe80::/10), site-local (fec0::/10), multicast (ff00::/8).
 */
const OPEN_IPV6: [string, number][] = [['2000::', 3]]

const CLOSED_IPV6: [string, number][] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID and others that host no documents
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which wraps any IPv4 address
  ['2620:4f:8000::', 48], // helpers of the name system
  ['3ffe::', 16], // the former test network
  ['3fff::', 20], // documentation
]

const closedIPv4 = createRanges(CLOSED_IPV4, 'ipv4')
const openIPv6 = createRanges(OPEN_IPV6, 'ipv6')
const closedIPv6 = createRanges(CLOSED_IPV6, 'ipv6')

function createRanges(ranges: [string, number][], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, bits] of ranges) list.addSubnet(network, bits, family)
  return list
}

/** An interface id of ISATAP holds an IPv4 address, which a tunnel would send the packets to. */
function isIsatap(address: string): boolean {
  const { parts } = ipaddr.IPv6.parse(address)
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)
}
