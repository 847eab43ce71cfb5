/**
 * Finds the `--oidc-*` flags of an API server in files of kubeadm, kind, k3s, RKE2 or in a pod
 * manifest, and writes the equivalent configuration file.
 */

import type { OidcSettings } from '../authenticators/jwt/config.ts';
import { readOidcArguments } from '../authenticators/jwt/oidc-arguments.ts';
import type { DataNode, MapData, StringData } from '../documents/yaml/data.ts';
import { documentSlices } from '../documents/yaml/document-slices.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { collapseWhitespace } from '../formats/trim.ts';
import type { Release } from '../model/release.ts';
import { toFileSpan } from '../source/position-map.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import { type Span, span } from '../source/span.ts';
import { flagsFileText } from './flags-file.ts';
import { type CompileSettings, oidcConfigurationText } from './settings.ts';

/** A flag of kube-apiserver in another file. */
export interface FlagInFile {
  /** Name without dashes: `oidc-issuer-url`. */
  readonly name: string;
  readonly value: string;
  readonly span: Span;
}

/** Other flags of kube-apiserver that concern a configuration, as settings of its compilation. */
export type ServerFlags = Pick<CompileSettings, 'disallowedIssuers' | 'hasTokenWebhook'>;

/** The flags of one document that concern the configuration of JWT authenticators. */
export interface FlagsInDocument {
  /** The flags in the order of the text. */
  readonly flags: readonly FlagInFile[];
  readonly others: ServerFlags;
  /** True if the flags are certainly those of kube-apiserver and not of another program. */
  readonly ofServer: boolean;
}

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
): readonly OidcFlagsFound[] =>
  flagsByDocument(file).flatMap(({ flags }) => {
    const { settings } = readOidcArguments(flags);
    if (settings === undefined) return [];
    return [
      {
        spans: oidcFlagsOf(flags).map((flag) => flag.span),
        configuration: replacingFileText(settings, targetRelease),
      },
    ];
  });

export const oidcFlagsOf = (flags: readonly FlagInFile[]): readonly FlagInFile[] =>
  flags.filter(({ name }) => name !== configurationFlag);

const configurationFlag = 'authentication-config';
const issuerFlag = 'service-account-issuer';
const webhookFlag = 'authentication-token-webhook-config-file';
const serverFlags: readonly string[] = [issuerFlag, webhookFlag];

/** Returns the flags of each document that has an `--oidc-*` flag. */
export const flagsByDocument = (file: SourceFile): readonly FlagsInDocument[] => {
  if (!mentionsFlags(file.text)) return [];
  return documentSlices(file.text).flatMap((slice) => {
    const own = file.text.slice(slice.start, slice.end);
    if (!mentionsFlags(own)) return [];
    const all = collectFlags(own, 0);
    const selected = all.filter(({ name }) => !serverFlags.includes(name));
    if (selected.every(({ name }) => name === configurationFlag)) return [];
    const flags = selected
      .map(({ name, value, at }): FlagInFile => {
        return { name, value, span: span(at.start + slice.start, at.end + slice.start) };
      })
      .toSorted((a, b) => a.span.start - b.span.start);
    return [
      {
        flags,
        others: serverFlagsOf(all),
        ofServer: selected.some(({ ofServer }) => ofServer),
      },
    ];
  });
};

/** Returns other flags of kube-apiserver in a file; none if they are those of several servers. */
export const serverFlagsIn = ({ text }: SourceFile): ServerFlags => {
  const byDocument = documentSlices(text)
    .map(({ start, end }) => text.slice(start, end))
    .filter(mentionsServerFlags)
    .map((own) => collectFlags(own, 0))
    .filter((flags) => flags.some(({ name }) => serverFlags.includes(name)));
  return serverFlagsOf(byDocument.length === 1 ? (byDocument[0] ?? []) : []);
};

/** The flags of a kube-apiserver that loads its configuration from a file. */
export interface FlagsOfServer {
  /** The value of `--authentication-config`: a path on the machine of the server. */
  readonly configurationFile: string;
  readonly others: ServerFlags;
}

/** Returns the servers in a file, such as a static pod, that load their configuration from another file. */
export const serversIn = ({ text }: SourceFile): readonly FlagsOfServer[] => {
  if (!text.includes(configurationFlag)) return [];
  return documentSlices(text).flatMap(({ start, end }): readonly FlagsOfServer[] => {
    const flags = collectFlags(text.slice(start, end), 0);
    const [named] = flags.filter(({ name, ofServer }) => name === configurationFlag && ofServer);
    if (named === undefined) return [];
    return [{ configurationFile: named.value, others: serverFlagsOf(flags) }];
  });
};

/** Adds flags of a server to settings. */
export const withServerFlags = (
  settings: CompileSettings,
  { disallowedIssuers, hasTokenWebhook }: ServerFlags,
): CompileSettings => ({
  ...settings,
  disallowedIssuers: [...settings.disallowedIssuers, ...disallowedIssuers],
  hasTokenWebhook: settings.hasTokenWebhook || hasTokenWebhook,
});

/** Other containers of a pod have flags with the same names; they do not count if the server is known. */
const serverFlagsOf = (flags: readonly Flag[]): ServerFlags => {
  const ofServer = flags.filter((flag) => flag.ofServer);
  const own = ofServer.length > 0 ? ofServer : flags;
  const valuesOf = (wanted: string): readonly string[] =>
    own.flatMap(({ name, value }) => (name === wanted && value !== '' ? [value] : []));
  return {
    disallowedIssuers: valuesOf(issuerFlag),
    hasTokenWebhook: valuesOf(webhookFlag).length > 0,
  };
};

const mentionsServerFlags = (text: string): boolean =>
  serverFlags.some((name) => text.includes(name));

/** Rules out most files without parsing them. */
const mentionsFlags = (text: string): boolean =>
  text.includes('oidc-issuer-url') || text.includes('oidc-client-id');

interface Flag {
  readonly name: string;
  readonly value: string;
  readonly at: Span;
  readonly ofServer: boolean;
}

/**
 * Collects the flags of a text. Strings inside of it are searched once: a kind file contains a
 * kubeadm file.
 */
const collectFlags = (text: string, level: number): readonly Flag[] => {
  const { data } = parseDocument(sourceFile('', text), { limits: 'refuse' });
  return data === undefined ? [] : flagsIn(data, { depth: 0, level, ofServer: false });
};

const searchDepth = 64;

interface SearchPosition {
  readonly depth: number;
  readonly level: number;
  /** Whether the values here are arguments of kube-apiserver. */
  readonly ofServer: boolean;
}

const flagsIn = (node: DataNode, position: SearchPosition): readonly Flag[] => {
  if (position.depth > searchDepth) return [];
  switch (node.kind) {
    case 'string':
      return node.text.includes('\n')
        ? nestedFlags(node, position.level)
        : argumentFlags(node, position);
    case 'array': {
      if (hasItem(node, isOtherProgram)) return [];
      const inner = below(position, hasItem(node, isServerProgram));
      return node.items.flatMap((item) => flagsIn(item, inner));
    }
    case 'object': {
      // The command of a container is next to its arguments.
      const inner = below(
        position,
        [...node.byKey.values()].some(
          ({ value }) => value.kind === 'array' && hasItem(value, isServerProgram),
        ),
      );
      return [
        ...memberFlags(node, inner),
        ...[...node.byKey].flatMap(([key, { value }]) =>
          flagsIn(value, serverFields.has(key) ? { ...inner, ofServer: true } : inner),
        ),
      ];
    }
    default:
      return [];
  }
};

const below = ({ depth, level, ofServer }: SearchPosition, startsServer: boolean) => ({
  depth: depth + 1,
  level,
  ofServer: ofServer || startsServer,
});

/** Fields whose values are arguments of kube-apiserver: in kubeadm, k3s and RKE2. */
const serverFields: ReadonlySet<string> = new Set(['apiServer', 'kube-apiserver-arg']);

/** Whether a list contains a string that passes a test. */
export const hasItem = (node: DataNode, test: (text: string) => boolean): boolean =>
  node.kind === 'array' && node.items.some((item) => item.kind === 'string' && test(item.text));

/** Whether an argument is the program kube-apiserver, with or without its folder. */
export const isServerProgram = (text: string): boolean => /(?:^|\/)kube-apiserver$/.test(text);

/** kubelogin, a plugin of kubectl, has flags of the same names. */
const isOtherProgram = (text: string): boolean => text === 'get-token' || text === 'oidc-login';

/** Collects the flags of a nested text. */
const nestedFlags = (node: StringData, level: number): readonly Flag[] =>
  level > 0 || !(mentionsFlags(node.text) || mentionsServerFlags(node.text))
    ? []
    : collectFlags(node.text, level + 1).map((flag) => ({
        ...flag,
        at: toFileSpan(node.map, flag.at),
      }));

const flagName = `(?:oidc-[a-z-]+|${[configurationFlag, ...serverFlags].join('|')})`;
const argument = new RegExp(`^(?:--)?(${flagName})=([\\s\\S]*)$`);
const wholeName = new RegExp(`^${flagName}$`);

/** Reads `--oidc-issuer-url=…`, without dashes for k3s and RKE2. */
const argumentFlags = (
  { text, span: at }: StringData,
  { ofServer }: SearchPosition,
): readonly Flag[] => {
  const [, name = '', value = ''] = argument.exec(text) ?? [];
  return name === '' ? [] : [{ name, value, at, ofServer }];
};

/** Reads `oidc-issuer-url: …`, or the pair of `name` and `value` of newer kubeadm files. */
const memberFlags = (map: MapData, { ofServer }: SearchPosition): readonly Flag[] => {
  const named = map.byKey.get('name')?.value;
  const value = map.byKey.get('value')?.value;
  const pair =
    named?.kind === 'string' && value?.kind === 'string' && wholeName.test(named.text)
      ? [{ name: named.text, value: value.text, at: map.span, ofServer }]
      : [];
  const direct = [...map.byKey.values()].flatMap(({ key, keySpan, value: member }) =>
    wholeName.test(key) && member.kind === 'string'
      ? [{ name: key, value: member.text, at: span(keySpan.start, member.span.end), ofServer }]
      : [],
  );
  return [...pair, ...direct];
};

/** Returns the configuration file that replaces flags in another file, with comments. */
export const replacingFileText = (settings: OidcSettings, targetRelease: Release): string => {
  const { caFile, signingAlgorithms } = settings;
  const algorithms = signingAlgorithms.filter((name) => /^[A-Z\d]+$/.test(name));
  const flagText = oidcConfigurationText(
    { ...settings, certificateAuthority: undefined },
    targetRelease,
  );
  const written = flagsFileText(flagText, {
    targetRelease,
    // The default of the flag.
    allowed: algorithms.length === 0 ? ['RS256'] : algorithms,
  });
  const authority =
    caFile === undefined
      ? ''
      : `# --oidc-ca-file=${collapseWhitespace(caFile)}: copy these certificates in PEM format to issuer.certificateAuthority.\n`;
  return `${instructions}${authority}${written}`;
};

const instructions =
  '# Pass this file to kube-apiserver with --authentication-config and remove its --oidc-* flags:\n# they are mutually exclusive.\n';
