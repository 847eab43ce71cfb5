/** Converts decoded fields to the typed configuration. */
import { type PositionMap, verbatimMap } from '../source/position-map.ts';
import type { Located, Span } from '../source/span.ts';
import type {
  AnonymousConfig,
  AuthenticationConfiguration,
  ClaimMappingsConfig,
  ConfigVersion,
  IssuerConfig,
  JwtAuthenticatorConfig,
  LocatedString,
  PrefixedMappingConfig,
} from './configuration.ts';
import { type DecodedStruct, type DecodedValue, noFields } from './decode-struct.ts';

export const readConfiguration = (
  root: DecodedStruct,
  identity: { readonly version: Located<ConfigVersion>; readonly domain: string },
): AuthenticationConfiguration => {
  const anonymous = structField(root, 'anonymous');
  return {
    version: identity.version,
    domain: identity.domain,
    jwt: readEntries(root.fields.get('jwt')),
    anonymous: anonymous === undefined ? undefined : readAnonymous(anonymous),
  };
};

const readEntries = (list: DecodedValue | undefined): readonly JwtAuthenticatorConfig[] =>
  list?.kind === 'list' ? list.items.map(readEntry) : emptyList;

/** Reads an entry of `jwt`; an item that is not a struct counts as an empty one. */
export const readEntry = (item: DecodedValue): JwtAuthenticatorConfig =>
  item.kind === 'entry'
    ? item.entry
    : readAuthenticator(item.kind === 'struct' ? item : emptyStruct(spanOf(item)));

const readAnonymous = (section: DecodedStruct): AnonymousConfig => {
  const enabled = section.fields.get('enabled');
  return {
    span: section.span,
    enabled: enabled?.kind === 'bool' && enabled.value,
    conditions: readItems(section, 'conditions', (item) => ({
      span: item.span,
      path: stringField(item, 'path'),
    })),
  };
};

const readAuthenticator = (entry: DecodedStruct): JwtAuthenticatorConfig => ({
  span: entry.span,
  issuer: readIssuer(sectionOrEmpty(entry, 'issuer')),
  claimValidationRules: readItems(entry, 'claimValidationRules', (rule) => ({
    span: rule.span,
    claim: stringField(rule, 'claim'),
    requiredValue: stringField(rule, 'requiredValue'),
    expression: stringField(rule, 'expression'),
    message: stringField(rule, 'message'),
  })),
  claimMappings: readMappings(sectionOrEmpty(entry, 'claimMappings')),
  userValidationRules: readItems(entry, 'userValidationRules', (rule) => ({
    span: rule.span,
    expression: stringField(rule, 'expression'),
    message: stringField(rule, 'message'),
  })),
});

const readIssuer = (section: DecodedStruct): IssuerConfig => {
  const audiences = section.fields.get('audiences');
  const list = audiences?.kind === 'list' ? audiences : undefined;
  return {
    span: section.span,
    url: stringField(section, 'url'),
    discoveryUrl: stringField(section, 'discoveryURL'),
    certificateAuthority: stringField(section, 'certificateAuthority'),
    audiences: list === undefined ? emptyList : list.items.map(stringOrEmpty),
    audiencesSpan: list?.span ?? section.span,
    audienceMatchPolicy: stringField(section, 'audienceMatchPolicy'),
    egressSelectorType: stringField(section, 'egressSelectorType'),
  };
};

const readMappings = (section: DecodedStruct): ClaimMappingsConfig => {
  const groups = structField(section, 'groups');
  const uid = structField(section, 'uid');
  return {
    span: section.span,
    username: readPrefixed(sectionOrEmpty(section, 'username')),
    groups: groups === undefined ? undefined : readPrefixed(groups),
    uid:
      uid === undefined
        ? undefined
        : {
            span: uid.span,
            claim: stringField(uid, 'claim'),
            expression: stringField(uid, 'expression'),
          },
    extra: readItems(section, 'extra', (item) => ({
      span: item.span,
      key: stringField(item, 'key'),
      valueExpression: stringField(item, 'valueExpression'),
    })),
  };
};

const readPrefixed = (section: DecodedStruct): PrefixedMappingConfig => ({
  span: section.span,
  claim: stringField(section, 'claim'),
  prefix: stringField(section, 'prefix'),
  expression: stringField(section, 'expression'),
});

const structField = (parent: DecodedStruct, name: string): DecodedStruct | undefined => {
  const field = parent.fields.get(name);
  return field?.kind === 'struct' ? field : undefined;
};

/** Returns a section, or an empty one at the position of its parent. */
const sectionOrEmpty = (parent: DecodedStruct, name: string): DecodedStruct =>
  structField(parent, name) ?? emptyStruct(parent.span);

const emptyStruct = (span: Span): DecodedStruct => ({ kind: 'struct', span, fields: noFields });

/** Reads the structs of a list; null counts as an empty struct. */
const readItems = <Item>(
  parent: DecodedStruct,
  name: string,
  read: (item: DecodedStruct) => Item,
): readonly Item[] => {
  const field = parent.fields.get(name);
  if (field?.kind !== 'list') return emptyList;
  return field.items.map((item) => read(item.kind === 'struct' ? item : emptyStruct(spanOf(item))));
};

/** Shared by all lists that are absent. */
const emptyList: readonly never[] = [];

const spanOf = (item: DecodedValue): Span => (item.kind === 'string' ? item.data.span : item.span);

const stringField = (parent: DecodedStruct, name: string): LocatedString | undefined => {
  const field = parent.fields.get(name);
  return field?.kind === 'string' ? toLocatedString(field) : undefined;
};

const toLocatedString = ({ data }: Extract<DecodedValue, { kind: 'string' }>): LocatedString => ({
  value: data.text,
  span: data.span,
  map: data.map,
});

const stringOrEmpty = (item: DecodedValue): LocatedString =>
  item.kind === 'string' ? toLocatedString(item) : new EmptyString(spanOf(item));

/** Creates its map on demand, because a hostile list may have a hundred thousand of them. */
class EmptyString implements LocatedString {
  readonly value = '';
  readonly span: Span;
  constructor(span: Span) {
    this.span = span;
  }
  get map(): PositionMap {
    return verbatimMap(this.span.start, 0);
  }
}
