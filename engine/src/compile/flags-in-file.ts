/**
 * Finds the `--oidc-*` flags of an API server in files of kubeadm, kind, k3s, RKE2 or in a pod
 * manifest, and writes the equivalent configuration file.
 */
import type { DataNode, MapData, StringData } from '../documents/yaml/data.ts';
import { documentSlices } from '../documents/yaml/document-slices.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import type { Release } from '../model/release.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import { type Span, span } from '../source/span.ts';
import { flagsFileText } from './flags-file.ts';
import { type OidcFlags, oidcConfigurationText } from './settings.ts';

/** Flags found in another file, and the configuration that replaces them. */
export interface OidcFlagsFound {
  /** Positions of the flags, in the order of the text. */
  readonly spans: readonly Span[];
  /** The equivalent configuration file. A path to certificates is mentioned in a comment. */
  readonly configuration: string;
}

/** Returns one result for each document that sets an issuer and a client ID. */
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
  /** Name of the flag without `oidc-`. */
  readonly name: string;
  readonly value: string;
  readonly at: Span;
}

/**
 * Collects the flags of a text. Strings inside of it are searched once: a kind file contains a
 * kubeadm file.
 */
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

/** Collects the flags of a nested text; their position is that of the whole string. */
const nestedFlags = (node: StringData, level: number): readonly Flag[] =>
  level > 0 || !node.text.includes('oidc-issuer-url')
    ? []
    : collectFlags(node.text, level + 1).map((flag) => ({ ...flag, at: node.span }));

/** Reads `--oidc-issuer-url=…`, without dashes for k3s and RKE2. */
const argumentFlags = ({ text, span: at }: StringData): readonly Flag[] => {
  const [, name = '', value = ''] = /^(?:--)?oidc-([a-z-]+)=([\s\S]*)$/.exec(text) ?? [];
  return name === '' ? [] : [{ name, value, at }];
};

/** Reads `oidc-issuer-url: …`, or the pair of `name` and `value` of newer kubeadm files. */
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
    // The default of the flag.
    allowed: algorithms.length === 0 ? ['RS256'] : algorithms,
  });
  const authority =
    caFile === ''
      ? ''
      : `# --oidc-ca-file=${oneLine(caFile)}: copy these certificates in PEM format to issuer.certificateAuthority.\n`;
  return `${instructions}${authority}${written}`;
};

const instructions =
  '# Pass this file to kube-apiserver with --authentication-config and remove its --oidc-* flags:\n# they are mutually exclusive.\n';

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
