/** Compiles a validated `jwt` entry to its node. */
import type { ExpressionCompilation } from '../../cel/compile-expression.ts';
import { type SerializedExpression, serializeExpression } from '../../cel/evaluate/serialize.ts';
import type {
  ClaimValidationRuleConfig,
  JwtAuthenticatorConfig,
  LocatedString,
  PrefixedMappingConfig,
} from '../../config/configuration.ts';
import type { ClaimRuleNode, JwtNode, MappingNode, PrefixedMappingNode } from './node.ts';

export interface JwtCompileContext {
  /** The path of the entry in the file: `jwt[0]`. */
  readonly path: string;
  /** Allowed `alg` values, in the order in which messages list them. */
  readonly signingAlgorithms: readonly string[];
  /** Returns the compiled expression at a path of the file. */
  readonly expressionAt: (path: string) => ExpressionCompilation | undefined;
}

/**
 * Compiles an entry, which must have no errors: parts with errors would be missing from the node.
 */
export const compileJwt = (config: JwtAuthenticatorConfig, context: JwtCompileContext): JwtNode => {
  const { issuer, claimMappings: mappings } = config;
  const serialized = (text: LocatedString | undefined, path: string): SerializedExpression => {
    const compiled = context.expressionAt(`${context.path}.${path}`);
    return compiled === undefined
      ? { text: text?.value ?? '', code: undefined }
      : serializeExpression(compiled.checked);
  };
  const prefixed = (mapping: PrefixedMappingConfig, path: string): PrefixedMappingNode =>
    isSet(mapping.expression)
      ? { kind: 'expression', expression: serialized(mapping.expression, `${path}.expression`) }
      : {
          kind: 'claim',
          claim: mapping.claim?.value ?? '',
          prefix: mapping.prefix?.value ?? '',
        };
  return {
    module: 'jwt',
    id: context.path,
    issuerUrl: issuer.url?.value ?? '',
    discoveryUrl: nonEmpty(issuer.discoveryUrl),
    certificateAuthority: nonEmpty(issuer.certificateAuthority),
    audiences: issuer.audiences.map(({ value }) => value),
    signingAlgorithms: context.signingAlgorithms,
    claimValidationRules: config.claimValidationRules.map((rule, index) =>
      claimRule(rule, (text) => serialized(text, `claimValidationRules[${index}].expression`)),
    ),
    username: prefixed(mappings.username, 'claimMappings.username'),
    groups:
      isSet(mappings.groups?.claim) || isSet(mappings.groups?.expression)
        ? prefixed(mappings.groups ?? mappings.username, 'claimMappings.groups')
        : undefined,
    uid: uidMapping(mappings.uid, (text) => serialized(text, 'claimMappings.uid.expression')),
    extra: mappings.extra.map(({ key, valueExpression }, index) => ({
      key: key?.value ?? '',
      expression: serialized(valueExpression, `claimMappings.extra[${index}].valueExpression`),
    })),
    userValidationRules: config.userValidationRules.map((rule, index) => ({
      expression: serialized(rule.expression, `userValidationRules[${index}].expression`),
      message: rule.message?.value ?? '',
    })),
  };
};

type Serialize = (text: LocatedString | undefined) => SerializedExpression;

const claimRule = (rule: ClaimValidationRuleConfig, serialize: Serialize): ClaimRuleNode =>
  isSet(rule.expression)
    ? {
        kind: 'expression',
        expression: serialize(rule.expression),
        message: rule.message?.value ?? '',
      }
    : {
        kind: 'claim',
        claim: rule.claim?.value ?? '',
        requiredValue: rule.requiredValue?.value ?? '',
      };

const uidMapping = (
  uid: JwtAuthenticatorConfig['claimMappings']['uid'],
  serialize: Serialize,
): MappingNode | undefined => {
  if (isSet(uid?.expression)) return { kind: 'expression', expression: serialize(uid?.expression) };
  return isSet(uid?.claim) ? { kind: 'claim', claim: uid?.claim?.value ?? '' } : undefined;
};

/** Returns the string unless it is empty: empty strings count as absent, as in kube-apiserver. */
const nonEmpty = (text: LocatedString | undefined): string | undefined =>
  text === undefined || text.value === '' ? undefined : text.value;

const isSet = (text: LocatedString | undefined): boolean => nonEmpty(text) !== undefined;
