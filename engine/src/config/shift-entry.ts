/** Shifts a decoded entry to another position in its file; its sections are shifted on demand. */
import { once } from '../source/once.ts';
import { type PositionMap, shiftMap } from '../source/position-map.ts';
import { type Span, shiftSpan } from '../source/span.ts';
import type {
  ClaimMappingsConfig,
  ClaimValidationRuleConfig,
  IssuerConfig,
  JwtAuthenticatorConfig,
  LocatedString,
  PrefixedMappingConfig,
  UserValidationRuleConfig,
} from './configuration.ts';

export const shiftEntry = (
  entry: JwtAuthenticatorConfig,
  offset: number,
): JwtAuthenticatorConfig => {
  if (offset === 0) return entry;
  const issuer = once(() => shiftIssuer(entry.issuer, offset));
  const claimRules = once(() => entry.claimValidationRules.map((rule) => shiftRule(rule, offset)));
  const mappings = once(() => shiftMappings(entry.claimMappings, offset));
  const userRules = once(() =>
    entry.userValidationRules.map((rule) => shiftUserRule(rule, offset)),
  );
  return {
    span: shiftSpan(entry.span, offset),
    get issuer() {
      return issuer();
    },
    get claimValidationRules() {
      return claimRules();
    },
    get claimMappings() {
      return mappings();
    },
    get userValidationRules() {
      return userRules();
    },
  };
};

const shiftIssuer = (issuer: IssuerConfig, offset: number): IssuerConfig => ({
  span: shiftSpan(issuer.span, offset),
  url: shiftOptionalString(issuer.url, offset),
  discoveryUrl: shiftOptionalString(issuer.discoveryUrl, offset),
  certificateAuthority: shiftOptionalString(issuer.certificateAuthority, offset),
  audiences: issuer.audiences.map((audience) => shiftString(audience, offset)),
  audiencesSpan: shiftSpan(issuer.audiencesSpan, offset),
  audienceMatchPolicy: shiftOptionalString(issuer.audienceMatchPolicy, offset),
  egressSelectorType: shiftOptionalString(issuer.egressSelectorType, offset),
});

const shiftRule = (rule: ClaimValidationRuleConfig, offset: number): ClaimValidationRuleConfig => ({
  span: shiftSpan(rule.span, offset),
  claim: shiftOptionalString(rule.claim, offset),
  requiredValue: shiftOptionalString(rule.requiredValue, offset),
  expression: shiftOptionalString(rule.expression, offset),
  message: shiftOptionalString(rule.message, offset),
});

const shiftUserRule = (
  rule: UserValidationRuleConfig,
  offset: number,
): UserValidationRuleConfig => ({
  span: shiftSpan(rule.span, offset),
  expression: shiftOptionalString(rule.expression, offset),
  message: shiftOptionalString(rule.message, offset),
});

const shiftMappings = (mappings: ClaimMappingsConfig, offset: number): ClaimMappingsConfig => {
  const { groups, uid } = mappings;
  return {
    span: shiftSpan(mappings.span, offset),
    username: shiftMapping(mappings.username, offset),
    groups: groups === undefined ? undefined : shiftMapping(groups, offset),
    uid:
      uid === undefined
        ? undefined
        : {
            span: shiftSpan(uid.span, offset),
            claim: shiftOptionalString(uid.claim, offset),
            expression: shiftOptionalString(uid.expression, offset),
          },
    extra: mappings.extra.map(({ span, key, valueExpression }) => ({
      span: shiftSpan(span, offset),
      key: shiftOptionalString(key, offset),
      valueExpression: shiftOptionalString(valueExpression, offset),
    })),
  };
};

const shiftMapping = (mapping: PrefixedMappingConfig, offset: number): PrefixedMappingConfig => ({
  span: shiftSpan(mapping.span, offset),
  claim: shiftOptionalString(mapping.claim, offset),
  prefix: shiftOptionalString(mapping.prefix, offset),
  expression: shiftOptionalString(mapping.expression, offset),
});

const shiftOptionalString = (
  text: LocatedString | undefined,
  offset: number,
): LocatedString | undefined => (text === undefined ? undefined : shiftString(text, offset));

const shiftString = (text: LocatedString, offset: number): LocatedString =>
  new ShiftedString(text, offset);

/** Creates its map on demand, because most strings are only compared. */
class ShiftedString implements LocatedString {
  readonly value: string;
  readonly span: Span;
  readonly #from: LocatedString;
  readonly #offset: number;
  constructor(from: LocatedString, offset: number) {
    this.value = from.value;
    this.span = shiftSpan(from.span, offset);
    this.#from = from;
    this.#offset = offset;
  }
  get map(): PositionMap {
    return shiftMap(this.#from.map, this.#offset);
  }
}
