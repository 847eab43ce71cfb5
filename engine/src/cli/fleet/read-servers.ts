/** Reads the metrics of servers from files and URLs, and finds the configuration that each has loaded. */
import type { HttpConnection } from '../../model/http-connection.ts';
import { type Secret, secret } from '../../model/secret.ts';
import { redactSecrets } from '../../source/redact-secrets.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import { type CommandArguments, oneStandardInput } from '../command.ts';
import { type FileFailure, type Io, maxInputBytes } from '../io.ts';
import { readConfigurationHashes } from './configuration-hashes.ts';
import type { FleetRow, FleetServer } from './fleet-report.ts';

export interface ServersReading {
  readonly servers: readonly FleetServer[];
  readonly failures: readonly FileFailure[];
}

/** Returns why the metrics cannot be requested; `undefined` if they can. */
export const metricsMisuse = ({ values }: CommandArguments): string | undefined => {
  const sources = values.list('metrics');
  const credentials = ['token-file', 'certificate-authority'];
  const unused = credentials.find((flag) => values.string(flag) !== '');
  const urls = sources.filter(isUrl);
  if (unused !== undefined && urls.length === 0) return `--${unused} requires --metrics URL`;
  const inputs = [...sources, ...credentials.map((flag) => values.string(flag))];
  if (inputs.filter((path) => path === '-').length > 1) return oneStandardInput;
  for (const source of urls) {
    const url = URL.parse(source);
    if (url === null) return `--metrics ${JSON.stringify(shownInvalidUrl(source))} is not a URL`;
    if (!/^https?:$/.test(url.protocol)) return '--metrics URL must begin with http:// or https://';
    if (url.username !== '' || url.password !== '')
      return '--metrics URL must not contain a user or a password: use --token-file';
    if (url.protocol === 'http:' && values.string('token-file') !== '')
      return `a token is sent over https only, not to ${url.origin}`;
  }
  return undefined;
};

const isUrl = (source: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(source);

/** Returns what is no URL without a user, a password and a query. */
const shownInvalidUrl = (source: string): string => {
  const scheme = source.slice(0, source.indexOf('//') + 2);
  const host = source.slice(Math.max(scheme.length, source.lastIndexOf('@') + 1));
  return redactSecrets(`${scheme}${host}`.split(/[?#]/, 1).join(''));
};

/** Reads every source. One that cannot be read does not prevent the others from being read. */
export const readServers = async (
  rows: readonly FleetRow[],
  { values }: CommandArguments,
  io: Io,
): Promise<ServersReading> => {
  const sources = values.list('metrics');
  const trust = await readTrust(values, io);
  if ('reason' in trust) return { servers: [], failures: [trust] };
  const readings: (readonly FleetServer[] | FileFailure)[] = [];
  for (let at = 0; at < sources.length; at += sourcesAtOnce)
    readings.push(
      ...(await Promise.all(
        sources
          .slice(at, at + sourcesAtOnce)
          .map((source) => readSource(source, { rows, trust, io })),
      )),
    );
  return {
    servers: readings.flatMap((reading) => ('reason' in reading ? [] : reading)),
    failures: readings.flatMap((reading) => ('reason' in reading ? [reading] : [])),
  };
};

/** Sources that are read at the same time; each may use as much memory as an input file. */
const sourcesAtOnce = 4;

/** The credentials for the servers of URLs, and the authorities that verify them. */
interface Trust {
  readonly token: Secret<string> | undefined;
  readonly certificateAuthority: Secret<string> | undefined;
}

const readTrust = async (
  values: CommandArguments['values'],
  io: Io,
): Promise<Trust | FileFailure> => {
  const read = async (flag: string) => {
    const path = values.string(flag);
    return path === '' ? undefined : io.readText(path);
  };
  const token = await read('token-file');
  if (token?.kind === 'failure') return token;
  const authority = await read('certificate-authority');
  if (authority?.kind === 'failure') return authority;
  return {
    token: token && secret(token.text.trim()),
    certificateAuthority: authority && secret(authority.text),
  };
};

interface SourceContext {
  readonly rows: readonly FleetRow[];
  readonly trust: Trust;
  readonly io: Io;
}

const readSource = async (
  source: string,
  { rows, trust, io }: SourceContext,
): Promise<readonly FleetServer[] | FileFailure> => {
  const name = isUrl(source) ? shownUrl(source) : source === '-' ? 'standard input' : source;
  const page = isUrl(source) ? await requestMetrics(source, trust, io) : await io.readText(source);
  if (page.kind === 'failure') return page;
  const reading = readConfigurationHashes(page.text);
  if (reading.kind === 'error')
    return { kind: 'failure', reason: `${escapeUnprintable(name)}: ${reading.problem}` };
  if (reading.hashes.length === 0)
    return [
      { source: name, labels: new Map(), hash: undefined, configurations: [], state: 'no hash' },
    ];
  return reading.hashes.map(({ hash, labels }): FleetServer => {
    const current = rows.filter((row) => row.hash === hash).map((row) => row.name);
    const old = rows.filter((row) => row.baseHash === hash).map((row) => row.name);
    const found = { source: name, labels, hash };
    if (hash === '') return { ...found, hash: undefined, configurations: [], state: 'no hash' };
    if (current.length > 0) return { ...found, configurations: current, state: 'current' };
    return { ...found, configurations: old, state: old.length > 0 ? 'base' : 'unknown' };
  });
};

/** Returns the URL without its query, which may contain a credential. */
const shownUrl = (source: string): string => {
  const { origin, pathname } = new URL(source);
  return origin + pathname;
};

const requestTimeoutMs = 30_000;

const requestMetrics = async (
  source: string,
  { token, certificateAuthority }: Trust,
  io: Io,
): Promise<{ readonly kind: 'text'; readonly text: string } | FileFailure> => {
  const { origin, pathname, search } = new URL(source);
  const path = `${pathname === '/' ? '/metrics' : pathname}${search}`;
  const connection: HttpConnection = {
    origin,
    insecureSkipVerify: false,
    headers: [],
    compression: true,
    ...(certificateAuthority === undefined
      ? {}
      : { certificateAuthority: { pem: certificateAuthority } }),
    ...(token === undefined ? {} : { credential: { kind: 'bearer', token } }),
  };
  const { nodePorts } = await import('../../node/ports.ts');
  const { http } = nodePorts();
  const peer = http.connect(connection);
  const failure = (reason: string, help?: string): FileFailure => ({
    kind: 'failure',
    reason: `get ${shownUrl(source)}: ${reason}`,
    ...(help === undefined ? {} : { help }),
  });
  try {
    const { status, statusText, body } = await peer.send({
      method: 'GET',
      path,
      headers: [{ name: 'Accept', value: 'text/plain;version=0.0.4' }],
      timeoutMs: requestTimeoutMs,
      maxBytes: maxInputBytes,
      signal: io.signal,
    });
    if (status === 200) return { kind: 'text', text: new TextDecoder().decode(body) };
    return failure(`the server returned ${statusText}`, statusHelp(status));
  } catch (cause) {
    return failure(cause instanceof Error ? cause.message : String(cause));
  } finally {
    await peer.close();
    await http.close();
  }
};

const statusHelp = (status: number): string | undefined => {
  if (status === 401) return 'Specify a valid token with --token-file.';
  if (status === 403) return 'The user needs a role that permits the verb get on /metrics.';
  return status >= 300 && status < 400
    ? 'Redirects are not followed: specify the address to which the server redirects.'
    : undefined;
};
