/**
 * The `--oidc-*` flags of an API server where they stand in a file of kubeadm, kind, k3s, RKE2 or in the
 * manifest of its pod, and the configuration file that says the same.
 */
import type { DataNode, MapData, StringData } from '../documents/yaml/data.ts';
import { documentSlices } from '../documents/yaml/document-slices.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import type { Release } from '../model/release.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import { type Span, span } from '../source/span.ts';
import { flagsFileText } from './flags-file.ts';
import { type OidcFlags, oidcConfigurationText } from './settings.ts';

/** Flags of the server in a file of another kind, and the configuration that replaces them. */
export interface OidcFlagsFound {
  /** Where the flags stand, in the order of the text. */
  readonly spans: readonly Span[];
  /** The file that says the same. A path of certificates stands in a comment of it. */
  readonly configuration: string;
}

/** One for each document with an issuer and a client id. */
export const findOidcFlags = (
  file: SourceFile,
  { targetRelease }: { readonly targetRelease: Release },
): readonly OidcFlagsFound[] => {
  if (!file.text.includes('oidc-issuer-url')) return [];
  return documentSlices(file.text).flatMap((slice) => {
    const own = file.text.slice(slice.start, slice.end);
    if (!own.includes('oidc-issuer-url')) return [];
    const flags = collectFlags(own, 0);
    const issuerUrl = textOf(flags, 'issuer-url');
    const clientId = textOf(flags, 'client-id');
    if (issuerUrl === '' || clientId === '') return [];
    const spans = flags.map(({ at }) => span(at.start + slice.start, at.end + slice.start));
    const text = configurationFor(flags, { issuerUrl, clientId, targetRelease });
    return [{ spans: spans.toSorted((a, b) => a.start - b.start), configuration: text }];
  });
};

interface Flag {
  /** Without `oidc-`. */
  readonly name: string;
  readonly value: string;
  readonly at: Span;
}

/** Texts inside of the file are looked into once: kind holds a kubeadm file so. */
const collectFlags = (text: string, level: number): readonly Flag[] => {
  const { data } = parseDocument(sourceFile('', text), { limits: 'refuse' });
  return data === undefined ? [] : flagsIn(data, { depth: 0, level });
};

const searchDepth = 64;

interface SearchPosition {
  readonly depth: number;
  readonly level: number;
}

const flagsIn = (node: DataNode, { depth, level }: SearchPosition): readonly Flag[] => {
  if (depth > searchDepth) return [];
  const inner = { depth: depth + 1, level };
  switch (node.kind) {
    case 'string':
      return node.text.includes('\n') ? nestedFlags(node, level) : argumentFlags(node);
    case 'array':
      return node.items.flatMap((item) => flagsIn(item, inner));
    case 'object':
      return [
        ...memberFlags(node),
        ...[...node.byKey.values()].flatMap(({ value }) => flagsIn(value, inner)),
      ];
    default:
      return [];
  }
};

/** Places in such a text are those of the whole of it. */
const nestedFlags = (node: StringData, level: number): readonly Flag[] =>
  level > 0 || !node.text.includes('oidc-issuer-url')
    ? []
    : collectFlags(node.text, level + 1).map((flag) => ({ ...flag, at: node.span }));

/** `--oidc-issuer-url=…`, without dashes for k3s and RKE2. */
const argumentFlags = ({ text, span: at }: StringData): readonly Flag[] => {
  const [, name = '', value = ''] = /^(?:--)?oidc-([a-z-]+)=([\s\S]*)$/.exec(text) ?? [];
  return name === '' ? [] : [{ name, value, at }];
};

/** `oidc-issuer-url: …`, or the pair of `name` and `value` of newer kubeadm files. */
const memberFlags = (map: MapData): readonly Flag[] => {
  const named = map.byKey.get('name')?.value;
  const value = map.byKey.get('value')?.value;
  const pair =
    named?.kind === 'string' && value?.kind === 'string' && named.text.startsWith('oidc-')
      ? [{ name: named.text.slice('oidc-'.length), value: value.text, at: map.span }]
      : [];
  const direct = [...map.byKey.values()].flatMap(({ key, keySpan, value: member }) =>
    key.startsWith('oidc-') && member.kind === 'string'
      ? [
          {
            name: key.slice('oidc-'.length),
            value: member.text,
            at: span(keySpan.start, member.span.end),
          },
        ]
      : [],
  );
  return [...pair, ...direct];
};

const textOf = (flags: readonly Flag[], wanted: string): string =>
  flags.find(({ name }) => name === wanted)?.value ?? '';

const listOf = (flags: readonly Flag[], wanted: string): readonly string[] =>
  flags.flatMap(({ name, value }) => (name === wanted ? value.split(',') : []));

const configurationFor = (
  flags: readonly Flag[],
  options: {
    readonly issuerUrl: string;
    readonly clientId: string;
    readonly targetRelease: Release;
  },
): string => {
  const algorithms = listOf(flags, 'signing-algs').filter((name) => /^[A-Z\d]+$/.test(name));
  const caFile = textOf(flags, 'ca-file');
  const values: OidcFlags = {
    issuerUrl: options.issuerUrl,
    clientId: options.clientId,
    certificateAuthority: undefined,
    usernameClaim: textOf(flags, 'username-claim') || 'sub',
    usernamePrefix: textOf(flags, 'username-prefix'),
    groupsClaim: textOf(flags, 'groups-claim'),
    groupsPrefix: textOf(flags, 'groups-prefix'),
    requiredClaims: new Map(
      listOf(flags, 'required-claim').flatMap((pair) => {
        const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
        return name === '' ? [] : [[name, value] as const];
      }),
    ),
  };
  const written = flagsFileText(oidcConfigurationText(values), {
    targetRelease: options.targetRelease,
    // The flag's own default.
    allowed: algorithms.length === 0 ? ['RS256'] : algorithms,
  });
  const authority =
    caFile === ''
      ? ''
      : `# --oidc-ca-file=${oneLine(caFile)}: put these certificates, in PEM form, into issuer.certificateAuthority.\n`;
  return `${instructions}${authority}${written}`;
};

const instructions =
  '# Give this file to the API server with --authentication-config, and take its --oidc-* flags away:\n# it refuses both together.\n';

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
