/** What a node of the module does, in sentences; and what a line of its log means. */

import type { ClaimRuleNode, JwtNode, MappingNode, PrefixedMappingNode } from './node.ts';
import { type RejectionRow, rejectionOf } from './rejections.ts';

/** One sentence a step, in the order in which they happen. */
export const explainJwt = (node: JwtNode): readonly string[] => [
  `Takes tokens whose iss is ${quoted(node.issuerUrl)}; all others are left to the other authenticators.`,
  `Finds the issuer's keys through ${node.discoveryUrl === undefined ? 'its discovery document' : quoted(node.discoveryUrl)}${node.certificateAuthority === undefined ? '' : ', trusting the configured certificate authority'}.`,
  `Allows the algorithms ${node.signingAlgorithms.join(', ')}.`,
  node.audiences.length === 1
    ? `The token must be meant for ${quoted(node.audiences[0] ?? '')}.`
    : `The token must be meant for one of ${node.audiences.map(quoted).join(', ')}.`,
  `The username is ${prefixedSource(node.username)}.`,
  node.groups === undefined
    ? 'Users get no groups from the token.'
    : `The groups are ${prefixedSource(node.groups)}.`,
  ...(node.uid === undefined ? [] : [`The uid is ${source(node.uid)}.`]),
  ...node.extra.map(({ key, expression }) => `Extra ${quoted(key)} is \`${expression.text}\`.`),
  ...node.claimValidationRules.map(ruleSentence),
  ...node.userValidationRules.map(
    ({ expression, message }) => `The user must meet \`${expression.text}\`${because(message)}.`,
  ),
];

export interface LogExplanation {
  readonly row: RejectionRow;
  /** The line's own part: from `oidc:` or `expression` on. */
  readonly message: string;
}

/** Reads a line pasted from a log of the real server or of ours; `undefined` for anything else. */
export const explainLogLine = (line: string): LogExplanation | undefined => {
  const start = line.search(/oidc: |expression '|invalid bearer token/);
  if (start < 0) return undefined;
  const message = line.slice(start);
  const row = rejectionOf(message);
  return row && { row, message };
};

const quoted = (text: string): string => JSON.stringify(text);

const because = (message: string): string => (message === '' ? '' : `, else ${quoted(message)}`);

const prefixedSource = (mapping: PrefixedMappingNode): string =>
  mapping.kind === 'expression' || mapping.prefix === ''
    ? source(mapping)
    : `${source(mapping)} with ${quoted(mapping.prefix)} in front`;

const source = (mapping: MappingNode): string =>
  mapping.kind === 'expression'
    ? `\`${mapping.expression.text}\``
    : `the claim ${quoted(mapping.claim)}`;

const ruleSentence = (rule: ClaimRuleNode): string =>
  rule.kind === 'claim'
    ? `The claim ${quoted(rule.claim)} must be ${quoted(rule.requiredValue)}.`
    : `The claims must meet \`${rule.expression.text}\`${because(rule.message)}.`;
