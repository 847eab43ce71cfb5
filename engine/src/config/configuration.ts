/**
 * The typed configuration: what the real server's internal form holds, each value with its place. A
 * field that was absent is `undefined`; a field that was wrong is absent and has a diagnostic.
 */

import type { PositionMap } from '../source/position-map.ts';
import type { Located, Span } from '../source/span.ts';

export type ConfigVersion = 'v1alpha1' | 'v1beta1' | 'v1' | '__internal';

/** The file, typed. A field that is absent is `undefined`; a wrong one too, and it has a diagnostic. */
export interface AuthenticationConfiguration {
  readonly version: Located<ConfigVersion>;
  /** `k8s.io` or `platform.io`: the domain that the file's apiVersion speaks. */
  readonly domain: string;
  readonly jwt: readonly JwtAuthenticatorConfig[];
  readonly anonymous: AnonymousConfig | undefined;
}

/** Text of the file with the map from its decoded form to its place. */
export interface LocatedString extends Located<string> {
  readonly map: PositionMap;
}

/** One entry of `jwt`. */
export interface JwtAuthenticatorConfig {
  /** The whole list entry. */
  readonly span: Span;
  readonly issuer: IssuerConfig;
  readonly claimValidationRules: readonly ClaimValidationRuleConfig[];
  readonly claimMappings: ClaimMappingsConfig;
  readonly userValidationRules: readonly UserValidationRuleConfig[];
}

export interface IssuerConfig {
  /** Of the section; of the entry where the section is absent. Likewise below. */
  readonly span: Span;
  readonly url: LocatedString | undefined;
  readonly discoveryUrl: LocatedString | undefined;
  readonly certificateAuthority: LocatedString | undefined;
  readonly audiences: readonly LocatedString[];
  readonly audiencesSpan: Span;
  readonly audienceMatchPolicy: LocatedString | undefined;
  readonly egressSelectorType: LocatedString | undefined;
}

export interface ClaimValidationRuleConfig {
  readonly span: Span;
  readonly claim: LocatedString | undefined;
  readonly requiredValue: LocatedString | undefined;
  readonly expression: LocatedString | undefined;
  readonly message: LocatedString | undefined;
}

export interface UserValidationRuleConfig {
  readonly span: Span;
  readonly expression: LocatedString | undefined;
  readonly message: LocatedString | undefined;
}

export interface PrefixedMappingConfig {
  readonly span: Span;
  readonly claim: LocatedString | undefined;
  /** Absent and empty differ. */
  readonly prefix: LocatedString | undefined;
  readonly expression: LocatedString | undefined;
}

export interface ClaimMappingsConfig {
  readonly span: Span;
  readonly username: PrefixedMappingConfig;
  readonly groups: PrefixedMappingConfig | undefined;
  readonly uid:
    | {
        readonly span: Span;
        readonly claim: LocatedString | undefined;
        readonly expression: LocatedString | undefined;
      }
    | undefined;
  readonly extra: readonly {
    readonly span: Span;
    readonly key: LocatedString | undefined;
    readonly valueExpression: LocatedString | undefined;
  }[];
}

export interface AnonymousConfig {
  readonly span: Span;
  readonly enabled: boolean;
  readonly conditions: readonly { readonly span: Span; readonly path: LocatedString | undefined }[];
}
