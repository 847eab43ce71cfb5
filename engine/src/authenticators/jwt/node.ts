/** The compiled form of one `jwt` entry. */
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';

export interface JwtNode {
  readonly module: 'jwt';
  /** The path of the entry in the file and its name in traces: `jwt[0]`. */
  readonly id: string;
  readonly issuerUrl: string;
  readonly discoveryUrl: string | undefined;
  /** PEM certificates of the authorities; the system's if absent. */
  readonly certificateAuthority: string | undefined;
  readonly audiences: readonly string[];
  /** Allowed `alg` values, in the order in which messages list them. */
  readonly signingAlgorithms: readonly string[];
  readonly claimValidationRules: readonly ClaimRuleNode[];
  readonly username: PrefixedMappingNode;
  readonly groups: PrefixedMappingNode | undefined;
  readonly uid: MappingNode | undefined;
  readonly extra: readonly { readonly key: string; readonly expression: SerializedExpression }[];
  readonly userValidationRules: readonly {
    readonly expression: SerializedExpression;
    readonly message: string;
  }[];
}

export type ClaimRuleNode =
  | { readonly kind: 'claim'; readonly claim: string; readonly requiredValue: string }
  | {
      readonly kind: 'expression';
      readonly expression: SerializedExpression;
      readonly message: string;
    };

export type PrefixedMappingNode =
  | { readonly kind: 'claim'; readonly claim: string; readonly prefix: string }
  | { readonly kind: 'expression'; readonly expression: SerializedExpression };

export type MappingNode =
  | { readonly kind: 'claim'; readonly claim: string }
  | { readonly kind: 'expression'; readonly expression: SerializedExpression };
