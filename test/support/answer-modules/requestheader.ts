/** Answers cases about authenticating proxies. */
import {
  authenticateAuthenticatingProxy,
  compileAuthenticatingProxy,
  type HeaderRules,
  headerReader,
  proxyHeaderNames,
  trimmedHeaderRules,
  withoutProxyHeaders,
} from '../../../engine/src/authenticators/authenticating-proxy/index.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';
import { type Decision, noOpinion } from '../../../engine/src/model/decision.ts';
import type { HeaderList } from '../../../engine/src/model/header-list.ts';
import { fakeClock, fakePorts } from '../fake-ports.ts';
import { decisionAnswer } from './decision-answer.ts';
import { type HeaderPairs, headerListOf, headerPairs } from './header-fields.ts';
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
    { readonly peerCerts?: readonly string[] | null; readonly headers?: HeaderPairs }
  > {
  readonly clock?: string;
}

export const answerRequestheader = async (line: RequestheaderCase): Promise<object> => {
  const { config, input } = line;
  const failure = handshakeFailure(peerCertificates(input.peerCerts));
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
    const user = headerReader(rules)(headers);
    const decision: Decision =
      user === undefined
        ? noOpinion
        : { kind: 'accepted', by: 'authenticating-proxy', audiences: [], user };
    return answerOf(decision, headers, rules);
  }
  return answerOf(await decideWithCertificate(line, configured, headers), headers, configured);
};

const decideWithCertificate = (
  { config, input, clock = '2026-11-21T12:00:00Z' }: RequestheaderCase,
  rules: HeaderRules,
  headers: HeaderList,
): Decision | Promise<Decision> => {
  const compiled = compileAuthenticatingProxy({
    caFile: 'ca.pem',
    bytes: encodeUtf8(config.clientCA ?? ''),
    allowedNames: config.allowedNames ?? [],
    headers: rules,
  });
  if (compiled.kind === 'failed') throw new Error(compiled.error);
  const ports = fakePorts({ clock: fakeClock(Date.parse(clock)) });
  const { decide } = authenticateAuthenticatingProxy(compiled.node, ports, compiled.material);
  const certificates = peerCertificates(input.peerCerts);
  const request = {
    path: '/',
    token: undefined,
    audiences: [],
    headers,
    ...(certificates === undefined ? {} : { certificates }),
  };
  return decide(request, new AbortController().signal);
};

const answerOf = (decision: Decision, headers: HeaderList, rules: HeaderRules): object => {
  const isTaken = decision.kind === 'accepted';
  const after = isTaken ? withoutProxyHeaders(headers, proxyHeaderNames(rules)) : headers;
  return asWritten({ ...decisionAnswer(decision), headersAfter: headerPairs(after) });
};

/** As the server writes it: bytes that are no text become U+FFFD. */
const asWritten = (answer: object): object => JSON.parse(encodeJson(answer)) as object;

const encodeJson = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (Array.isArray(value)) return `[${value.map(encodeJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${encodeJson(name)}:${encodeJson(member)}`).join()}}`;
};
