/** Answers cases about authenticating proxies. */
import { linkAuthenticatingProxy } from '../../../engine/src/authenticators/authenticating-proxy/authenticate.ts';
import {
  type HeaderRules,
  isBlank,
  proxyHeaderNames,
  proxyUserReader,
  withoutProxyHeaders,
} from '../../../engine/src/authenticators/authenticating-proxy/header-rules.ts';
import { goQuote } from '../../../engine/src/formats/go-quote.ts';
import { trimSpace } from '../../../engine/src/formats/go-space.ts';
import { type Decision, noOpinion } from '../../../engine/src/model/decision.ts';
import type { HeaderList } from '../../../engine/src/model/header-list.ts';
import { fakeClock, fakePorts } from '../fake-ports.ts';
import { poolOf } from './authorities.ts';
import { decisionAnswer } from './decision-answer.ts';
import { asWritten, type HeaderPairs, headerListOf, headerPairs } from './header-fields.ts';
import type { CaseLine } from './module-cases.ts';
import { handshakeFailure, peerCertificates } from './peer-certificates.ts';

type Names = readonly string[] | null;

export interface RequestheaderCase
  extends CaseLine<
    {
      readonly clientCA?: string;
      readonly allowedNames?: Names;
      readonly usernameHeaders?: Names;
      readonly uidHeaders?: Names;
      readonly groupHeaders?: Names;
      readonly extraHeaderPrefixes?: Names;
      readonly noVerify?: boolean;
    },
    { readonly peerCerts?: readonly string[] | null; readonly headers?: HeaderPairs | null }
  > {
  readonly clock?: string;
}

export const answerRequestheader = async (line: RequestheaderCase): Promise<object> => {
  const { config, input } = line;
  const failure = handshakeFailure(input.peerCerts);
  if (failure !== undefined) return failure;
  const headers = headerListOf(input.headers);
  const configured: HeaderRules = {
    username: config.usernameHeaders ?? [],
    uid: config.uidHeaders ?? [],
    groups: config.groupHeaders ?? [],
    extraPrefixes: config.extraHeaderPrefixes ?? [],
  };
  if (config.noVerify === true) {
    const rules = trimmedHeaderRules(configured);
    if (typeof rules === 'string') return { loadError: rules };
    const user = proxyUserReader(rules)(headers);
    const decision: Decision =
      user === undefined
        ? noOpinion
        : { kind: 'accepted', by: 'authenticating-proxy', audiences: [], user };
    return answerOf(decision, headers, rules);
  }
  return answerOf(await decideWithCertificate(line, configured, headers), headers, configured);
};

/**
 * Trims the header names as kube-apiserver does if the proxy is not verified by client certificate,
 * which the product always does; returns an error message if one is blank.
 */
const trimmedHeaderRules = (rules: HeaderRules): HeaderRules | string => {
  const all = [rules.username, rules.uid, rules.groups, rules.extraPrefixes].flat();
  const blank = all.find(isBlank);
  if (blank !== undefined) return `empty header ${goQuote(blank)}`;
  const trimmed = (names: readonly string[]): readonly string[] => names.map(trimSpace);
  return {
    username: trimmed(rules.username),
    uid: trimmed(rules.uid),
    groups: trimmed(rules.groups),
    extraPrefixes: trimmed(rules.extraPrefixes),
  };
};

const decideWithCertificate = (
  { config, input, clock = '2026-11-21T12:00:00Z' }: RequestheaderCase,
  rules: HeaderRules,
  headers: HeaderList,
): Decision | Promise<Decision> => {
  const pool = poolOf(config.clientCA);
  const ports = fakePorts({ clock: fakeClock(Date.parse(clock)) });
  const { authenticate } = linkAuthenticatingProxy(
    {
      module: 'authenticating-proxy',
      caFile: pool.name,
      allowedNames: config.allowedNames ?? [],
      headers: rules,
    },
    ports,
    { pool },
  );
  const certificates = peerCertificates(input.peerCerts);
  const request = {
    path: '/',
    token: undefined,
    audiences: [],
    headers,
    ...(certificates === undefined ? {} : { certificates }),
  };
  return authenticate(request, new AbortController());
};

const answerOf = (decision: Decision, headers: HeaderList, rules: HeaderRules): object => {
  const isTaken = decision.kind === 'accepted';
  const after = isTaken ? withoutProxyHeaders(headers, proxyHeaderNames(rules)) : headers;
  return asWritten({ ...decisionAnswer(decision), headersAfter: headerPairs(after) });
};
