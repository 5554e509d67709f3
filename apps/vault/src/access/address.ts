import { BlockList, isIP } from 'node:net';

/**
 * An address as the log and the allow lists want it: IPv4 in its own form even where the socket speaks IPv6
 * (`::ffff:10.1.2.3`), and without the zone that only means something on one machine.
 */
export function normalAddress(address: string | undefined): string | null {
  if (address === undefined) return null;
  if (isIP(address) === 4) return address;
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  return isIP(plain) === 0 ? null : plain;
}

/** One spelling for each range: an IPv4 range in its own form, a single address with its full prefix. */
export function normalRange(range: string): string {
  const [address = '', prefix] = range.split('/');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined)
    return `${mapped}/${prefix === undefined ? 32 : Math.max(0, Number(prefix) - 96)}`;
  return `${address}/${prefix ?? (isIP(address) === 6 ? 128 : 32)}`;
}

export function isAddressAllowed(address: string | null, ranges: readonly string[] | null): boolean {
  if (ranges === null) return true;
  if (address === null) return false;
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a range lies inside one of the others: how an allow list may be narrowed. */
export function isRangeWithin(range: string, outer: readonly string[]): boolean {
  const [network = '', prefix = ''] = range.split('/');
  return outer.some((candidate) => {
    const [, outerPrefix = ''] = candidate.split('/');
    const sameFamily = isIP(network) === isIP(candidate.split('/')[0] ?? '');
    return sameFamily && Number(outerPrefix) <= Number(prefix) && isAddressAllowed(network, [candidate]);
  });
}
