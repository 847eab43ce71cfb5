/**
 * The typed configuration: the fields of kube-apiserver's internal type, each value with its
 * position. A field that is absent is `undefined`. A field with a wrong type is `undefined`, too,
 * and has a diagnostic.
 */

import type { PositionMap } from '../source/position-map.ts';
import type { Located, Span } from '../source/span.ts';

export type ConfigVersion = 'v1alpha1' | 'v1beta1' | 'v1' | '__internal';

/**
 * The typed file. A field that is absent is `undefined`; so is a field with a wrong type, which
 * also has a diagnostic.
 */
export interface AuthenticationConfiguration {
  readonly version: Located<ConfigVersion>;
  /** The API domain of the file's apiVersion: `k8s.io` or `platform.io`. */
  readonly domain: string;
  readonly jwt: readonly JwtAuthenticatorConfig[];
  readonly anonymous: AnonymousConfig | undefined;
}

/** A string of the file, with the map from its decoded form to its position. */
export interface LocatedString extends Located<string> {
  readonly map: PositionMap;
}

/** An entry of `jwt`. */
export interface JwtAuthenticatorConfig {
  /** Position of the whole list entry. */
  readonly span: Span;
  readonly issuer: IssuerConfig;
  readonly claimValidationRules: readonly ClaimValidationRuleConfig[];
  readonly claimMappings: ClaimMappingsConfig;
  readonly userValidationRules: readonly UserValidationRuleConfig[];
}

export interface IssuerConfig {
  /**
   * Position of the section, or of the entry if the section is absent. The same applies to the
   * sections below.
   */
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
  /** An absent prefix and an empty one are different. */
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
