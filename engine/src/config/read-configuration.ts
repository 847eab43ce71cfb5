/** Decoded fields -> the typed configuration. */
import { type PositionMap, verbatimMap } from '../source/position-map.ts';
import type { Located, Span } from '../source/span.ts';
import type {
  AnonymousConfig,
  AuthenticationConfiguration,
  ClaimMappingsConfig,
  ConfigVersion,
  IssuerConfig,
  JwtAuthenticatorConfig,
  LocatedText,
  PrefixedMappingConfig,
} from './configuration.ts';
import { type Decoded, type DecodedStruct, noFields } from './decode-struct.ts';

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

const readEntries = (list: Decoded | undefined): readonly JwtAuthenticatorConfig[] =>
  list?.kind === 'list' ? list.items.map(readEntry) : none;

/** One item of the list of authenticators; what is no struct counts as an empty one. */
export const readEntry = (item: Decoded): JwtAuthenticatorConfig =>
  item.kind === 'entry'
    ? item.entry
    : readAuthenticator(item.kind === 'struct' ? item : emptyStruct(spanOf(item)));

const readAnonymous = (section: DecodedStruct): AnonymousConfig => {
  const enabled = section.fields.get('enabled');
  return {
    span: section.span,
    enabled: enabled?.kind === 'bool' && enabled.value,
    conditions: itemsAs(section, 'conditions', (item) => ({
      span: item.span,
      path: textField(item, 'path'),
    })),
  };
};

const readAuthenticator = (entry: DecodedStruct): JwtAuthenticatorConfig => ({
  span: entry.span,
  issuer: readIssuer(sectionOr(entry, 'issuer')),
  claimValidationRules: itemsAs(entry, 'claimValidationRules', (rule) => ({
    span: rule.span,
    claim: textField(rule, 'claim'),
    requiredValue: textField(rule, 'requiredValue'),
    expression: textField(rule, 'expression'),
    message: textField(rule, 'message'),
  })),
  claimMappings: readMappings(sectionOr(entry, 'claimMappings')),
  userValidationRules: itemsAs(entry, 'userValidationRules', (rule) => ({
    span: rule.span,
    expression: textField(rule, 'expression'),
    message: textField(rule, 'message'),
  })),
});

const readIssuer = (section: DecodedStruct): IssuerConfig => {
  const audiences = section.fields.get('audiences');
  const list = audiences?.kind === 'list' ? audiences : undefined;
  return {
    span: section.span,
    url: textField(section, 'url'),
    discoveryUrl: textField(section, 'discoveryURL'),
    certificateAuthority: textField(section, 'certificateAuthority'),
    audiences: list === undefined ? none : list.items.map(textOrEmpty),
    audiencesSpan: list?.span ?? section.span,
    audienceMatchPolicy: textField(section, 'audienceMatchPolicy'),
    egressSelectorType: textField(section, 'egressSelectorType'),
  };
};

const readMappings = (section: DecodedStruct): ClaimMappingsConfig => {
  const groups = structField(section, 'groups');
  const uid = structField(section, 'uid');
  return {
    span: section.span,
    username: readPrefixed(sectionOr(section, 'username')),
    groups: groups === undefined ? undefined : readPrefixed(groups),
    uid:
      uid === undefined
        ? undefined
        : {
            span: uid.span,
            claim: textField(uid, 'claim'),
            expression: textField(uid, 'expression'),
          },
    extra: itemsAs(section, 'extra', (item) => ({
      span: item.span,
      key: textField(item, 'key'),
      valueExpression: textField(item, 'valueExpression'),
    })),
  };
};

const readPrefixed = (section: DecodedStruct): PrefixedMappingConfig => ({
  span: section.span,
  claim: textField(section, 'claim'),
  prefix: textField(section, 'prefix'),
  expression: textField(section, 'expression'),
});

const structField = (parent: DecodedStruct, name: string): DecodedStruct | undefined => {
  const field = parent.fields.get(name);
  return field?.kind === 'struct' ? field : undefined;
};

/** The section, or an empty one at the place of its parent. */
const sectionOr = (parent: DecodedStruct, name: string): DecodedStruct =>
  structField(parent, name) ?? emptyStruct(parent.span);

const emptyStruct = (span: Span): DecodedStruct => ({ kind: 'struct', span, fields: noFields });

/** The structs of a list, read; null counts as an empty one. */
const itemsAs = <Item>(
  parent: DecodedStruct,
  name: string,
  read: (item: DecodedStruct) => Item,
): readonly Item[] => {
  const field = parent.fields.get(name);
  if (field?.kind !== 'list') return none;
  return field.items.map((item) => read(item.kind === 'struct' ? item : emptyStruct(spanOf(item))));
};

/** One for all lists that are not there. */
const none: readonly never[] = [];

const spanOf = (item: Decoded): Span => (item.kind === 'text' ? item.data.span : item.span);

const textField = (parent: DecodedStruct, name: string): LocatedText | undefined => {
  const field = parent.fields.get(name);
  return field?.kind === 'text' ? located(field) : undefined;
};

const located = ({ data }: Extract<Decoded, { kind: 'text' }>): LocatedText => ({
  value: data.text,
  span: data.span,
  map: data.map,
});

const textOrEmpty = (item: Decoded): LocatedText =>
  item.kind === 'text' ? located(item) : new EmptyText(spanOf(item));

/** Makes its map when asked: a hostile list has a hundred thousand of them. */
class EmptyText implements LocatedText {
  readonly value = '';
  readonly span: Span;
  constructor(span: Span) {
    this.span = span;
  }
  get map(): PositionMap {
    return verbatimMap(this.span.start, 0);
  }
}
