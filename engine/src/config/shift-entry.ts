/** A decoded entry at another place of its file; its sections are moved when they are asked for. */
import { once } from '../source/once.ts';
import { type PositionMap, shiftMap } from '../source/position-map.ts';
import { type Span, shiftSpan } from '../source/span.ts';
import type {
  ClaimMappingsConfig,
  ClaimValidationRuleConfig,
  IssuerConfig,
  JwtAuthenticatorConfig,
  LocatedText,
  PrefixedMappingConfig,
  UserValidationRuleConfig,
} from './configuration.ts';

export const shiftEntry = (entry: JwtAuthenticatorConfig, by: number): JwtAuthenticatorConfig => {
  if (by === 0) return entry;
  const issuer = once(() => shiftIssuer(entry.issuer, by));
  const claimRules = once(() => entry.claimValidationRules.map((rule) => shiftRule(rule, by)));
  const mappings = once(() => shiftMappings(entry.claimMappings, by));
  const userRules = once(() => entry.userValidationRules.map((rule) => shiftUserRule(rule, by)));
  return {
    span: shiftSpan(entry.span, by),
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

const shiftIssuer = (issuer: IssuerConfig, by: number): IssuerConfig => ({
  span: shiftSpan(issuer.span, by),
  url: shiftText(issuer.url, by),
  discoveryUrl: shiftText(issuer.discoveryUrl, by),
  certificateAuthority: shiftText(issuer.certificateAuthority, by),
  audiences: issuer.audiences.map((audience) => moved(audience, by)),
  audiencesSpan: shiftSpan(issuer.audiencesSpan, by),
  audienceMatchPolicy: shiftText(issuer.audienceMatchPolicy, by),
  egressSelectorType: shiftText(issuer.egressSelectorType, by),
});

const shiftRule = (rule: ClaimValidationRuleConfig, by: number): ClaimValidationRuleConfig => ({
  span: shiftSpan(rule.span, by),
  claim: shiftText(rule.claim, by),
  requiredValue: shiftText(rule.requiredValue, by),
  expression: shiftText(rule.expression, by),
  message: shiftText(rule.message, by),
});

const shiftUserRule = (rule: UserValidationRuleConfig, by: number): UserValidationRuleConfig => ({
  span: shiftSpan(rule.span, by),
  expression: shiftText(rule.expression, by),
  message: shiftText(rule.message, by),
});

const shiftMappings = (mappings: ClaimMappingsConfig, by: number): ClaimMappingsConfig => {
  const { groups, uid } = mappings;
  return {
    span: shiftSpan(mappings.span, by),
    username: shiftMapping(mappings.username, by),
    groups: groups === undefined ? undefined : shiftMapping(groups, by),
    uid:
      uid === undefined
        ? undefined
        : {
            span: shiftSpan(uid.span, by),
            claim: shiftText(uid.claim, by),
            expression: shiftText(uid.expression, by),
          },
    extra: mappings.extra.map(({ span, key, valueExpression }) => ({
      span: shiftSpan(span, by),
      key: shiftText(key, by),
      valueExpression: shiftText(valueExpression, by),
    })),
  };
};

const shiftMapping = (mapping: PrefixedMappingConfig, by: number): PrefixedMappingConfig => ({
  span: shiftSpan(mapping.span, by),
  claim: shiftText(mapping.claim, by),
  prefix: shiftText(mapping.prefix, by),
  expression: shiftText(mapping.expression, by),
});

const shiftText = (text: LocatedText | undefined, by: number): LocatedText | undefined =>
  text === undefined ? undefined : moved(text, by);

const moved = (text: LocatedText, by: number): LocatedText => new MovedText(text, by);

/** Makes its map when asked: most texts are only looked at. */
class MovedText implements LocatedText {
  readonly value: string;
  readonly span: Span;
  readonly #from: LocatedText;
  readonly #by: number;
  constructor(from: LocatedText, by: number) {
    this.value = from.value;
    this.span = shiftSpan(from.span, by);
    this.#from = from;
    this.#by = by;
  }
  get map(): PositionMap {
    return shiftMap(this.#from.map, this.#by);
  }
}
