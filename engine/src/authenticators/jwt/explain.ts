/** Describes a `jwt` node in sentences, in the order in which a token passes its steps. */
import { type ExplainedPart, joinList, quote, simplePart } from '../explained-part.ts';
import type { ClaimRuleNode, JwtNode, MappingNode, PrefixedMappingNode } from './node.ts';

/** Describes the node: its own sentence names the issuer, and each step is one part. */
export const explainJwt = (node: JwtNode): ExplainedPart => {
  const part = (field: string, sentence: string): ExplainedPart =>
    simplePart(`${node.id}.${field}`, sentence);
  const { username, groups, uid } = node;
  return {
    path: node.id,
    sentence: `accepts tokens whose iss is ${quote(node.issuerUrl)}.`,
    parts: [
      part(
        'issuer',
        `keys come from ${quote(discoveryOf(node))}, verified with ${node.certificateAuthority === undefined ? "the system's certificate authorities" : 'issuer.certificateAuthority'}; tokens are signed with ${node.signingAlgorithms.join(', ')}.`,
      ),
      part('issuer.audiences', `aud must contain ${joinList(node.audiences.map(quote), 'or')}.`),
      part('claimMappings.username', `the username is ${prefixed(username)}.`),
      ...(groups === undefined
        ? []
        : [part('claimMappings.groups', `the groups are ${prefixed(groups)}.`)]),
      ...(uid === undefined ? [] : [part('claimMappings.uid', `the UID is ${mapped(uid)}.`)]),
      ...node.extra.map(({ key, expression }, index) =>
        part(
          `claimMappings.extra[${index}]`,
          `extra ${quote(key)} is the value of ${code(expression.text)}.`,
        ),
      ),
      ...node.claimValidationRules.map((rule, index) =>
        part(`claimValidationRules[${index}]`, `the token is rejected unless ${claimRule(rule)}.`),
      ),
      ...node.userValidationRules.map(({ expression, message }, index) =>
        part(
          `userValidationRules[${index}]`,
          `the user is rejected unless ${code(expression.text)}${withMessage(message)}.`,
        ),
      ),
    ],
  };
};

const discoveryOf = (node: JwtNode): string =>
  node.discoveryUrl ?? `${node.issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;

const prefixed = (mapping: PrefixedMappingNode): string => {
  if (mapping.kind === 'expression') return `the value of ${code(mapping.expression.text)}`;
  const prefix = mapping.prefix === '' ? '' : ` with the prefix ${quote(mapping.prefix)}`;
  return `claim ${quote(mapping.claim)}${prefix}`;
};

const mapped = (mapping: MappingNode): string =>
  mapping.kind === 'claim'
    ? `claim ${quote(mapping.claim)}`
    : `the value of ${code(mapping.expression.text)}`;

const claimRule = (rule: ClaimRuleNode): string =>
  rule.kind === 'claim'
    ? `claim ${quote(rule.claim)} is ${quote(rule.requiredValue)}`
    : `${code(rule.expression.text)}${withMessage(rule.message)}`;

const withMessage = (message: string): string =>
  message === '' ? '' : `, with the message ${quote(message)}`;
const code = (expression: string): string => `\`${expression.replaceAll(/\s+/g, ' ').trim()}\``;
