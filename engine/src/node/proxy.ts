/**
 * Selects the proxy of a request from `HTTPS_PROXY` and `NO_PROXY`, by the same rules as
 * kube-apiserver, so that an issuer behind a corporate proxy is reached by both.
 */
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Reads an environment variable. */
export type ReadVariable = (name: string) => string | undefined;

/** Returns the URL of the proxy for an HTTPS request; `undefined` for a direct connection. */
export const proxyFor = (
  url: URL,
  variable: ReadVariable = (name) => process.env[name],
): string | undefined => {
  const proxy = (variable('HTTPS_PROXY') || variable('https_proxy') || '').trim();
  if (proxy === '') return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const exceptions = variable('NO_PROXY') || variable('no_proxy') || '';
  if (isLocal(host) || isException(host, url.port || '443', exceptions)) return undefined;
  return /^(?:https?|socks5h?):\/\//i.test(proxy) ? proxy : `http://${proxy}`;
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Loopback addresses are never reached through a proxy. */
const isLocal = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, familyOf(host)));

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

const isException = (host: string, port: string, exceptions: string): boolean =>
  exceptions
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .some((part) => part !== '' && matches(part, host, port));

/** Matches one entry: `*`, a network, an address or a name; the last two may have a port. */
const matches = (entry: string, host: string, port: string): boolean => {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(entry, host);
  const [, name = '', wantedPort] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  // Brackets go with a port; without one, kube-apiserver treats them as a part of a name.
  const wanted = wantedPort === undefined ? name : name.replace(/^\[|\]$/g, '');
  if (wanted === '') return false;
  if (isIP(wanted) !== 0 || isIP(host) !== 0) return wanted === host;
  const suffix = wanted.replace(/^\*\./, '.');
  // `.example.com` matches subdomains only, `example.com` also the domain itself.
  return suffix.startsWith('.')
    ? host.endsWith(suffix)
    : host === suffix || host.endsWith(`.${suffix}`);
};

const isInNetwork = (entry: string, host: string): boolean => {
  if (isIP(host) === 0) return false;
  const [address = '', bits = ''] = entry.split('/');
  if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (isIPv6(address) ? 128 : 32)) return false;
  const network = new BlockList();
  network.addSubnet(address, Number(bits), familyOf(address));
  return network.check(host, familyOf(host));
};
