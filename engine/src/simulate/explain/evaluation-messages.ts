/**
 * Explains messages about an expression that ran: its role, and why it failed or rejected the user.
 */
import { after, firstMatch, type RecognizedMessage } from './match-message.ts';
import type { MessagePattern, MessageSubject } from './message-patterns.ts';

/** Reasons why an expression failed at run time, for expressions of any role. */
const evaluationPatterns: readonly Omit<MessagePattern, 'subject'>[] = [
  {
    name: 'expression-key-missing',
    pattern: /^no such key: (?<key>.*)$/s,
    meaning: 'the key {key} does not exist',
    fix: 'Write .?{key} instead of .{key} where the expression reads it, with .orValue(…) after it, or test it first with has(…).',
  },
  {
    name: 'expression-no-overload',
    pattern: /^no such overload.*$/s,
    meaning:
      'an operator or function does not accept the type of a value (numbers in claims are doubles; claims itself is not a map for `in` and `size`)',
    fix: 'Check the types of the claims in the token. Use has(claims.x) instead of "x" in claims, and no integer arithmetic with numbers from claims.',
  },
  {
    name: 'expression-index-out-of-bounds',
    pattern: /^index out of bounds: (?<index>.*)$/s,
    meaning: 'a list has no element {index}',
    fix: 'Check size() first, or read the element with list[?0].orValue(…).',
  },
  {
    name: 'expression-division-by-zero',
    pattern: /^(?:division|modulus) by zero$/,
    meaning: 'it divides by zero',
    fix: 'Guard the division with a condition.',
  },
  {
    name: 'expression-too-expensive',
    pattern: /^operation cancelled: actual cost limit exceeded$/,
    meaning: 'it exceeds the cost limit of an expression (1,000,000 units)',
    fix: 'Avoid nested comprehensions and comprehensions over long lists.',
  },
  {
    name: 'expression-overflow',
    pattern: /^.*overflow$/s,
    meaning: 'a number exceeds the range of its type',
    fix: 'Guard the arithmetic with a condition.',
  },
  {
    name: 'expression-conversion-failed',
    pattern: /^type conversion error from '(?<from>[^']*)' to '(?<to>[^']*)'$/,
    meaning: 'a value of type {from} cannot be converted to {to}',
    fix: 'Check the type first, or read another claim.',
  },
  {
    name: 'expression-failed',
    pattern: /^(?<cause>.*)$/s,
    meaning: '{cause}',
    fix: "Try the expression with the token's claims: `authgraph whoami --explain`.",
  },
];

interface ExpressionKind {
  /** The text after `oidc: error evaluating `. */
  readonly prefix: string;
  readonly subject: MessageSubject;
  readonly noun: string;
  /** The prefix of the names of its documentation pages. */
  readonly page: string;
  readonly wrongType: string;
}

const expressionKinds: readonly ExpressionKind[] = [
  {
    prefix: 'claim validation expression',
    subject: 'claim rule',
    noun: 'A claim validation rule',
    page: 'claim-rule',
    wrongType: 'a boolean',
  },
  {
    prefix: 'user info validation rule',
    subject: 'user rule',
    noun: 'A user validation rule',
    page: 'user-rule',
    wrongType: 'a boolean',
  },
  {
    prefix: 'username claim expression',
    subject: 'username',
    noun: 'The expression for the username',
    page: 'username-expression',
    wrongType: 'a string',
  },
  {
    prefix: 'group claim expression',
    subject: 'groups',
    noun: 'The expression for the groups',
    page: 'groups-expression',
    wrongType: 'a string or a list of strings',
  },
  {
    prefix: 'uid claim expression',
    subject: 'uid',
    noun: 'The expression for the UID',
    page: 'uid-expression',
    wrongType: 'a string',
  },
  {
    prefix: 'extra claim expression',
    subject: 'extra',
    noun: 'An expression for an extra value',
    page: 'extra-expression',
    wrongType: 'a string or a list of strings',
  },
];

/** The beginnings of messages about each kind, with `…` for the rest. */
export const evaluationMessageTexts: readonly string[] = expressionKinds.map(
  ({ prefix }) => `oidc: error evaluating ${prefix}: …`,
);

/** The only kind whose run-time errors have no prefix. */
const extraKind = expressionKinds.at(-1);

/**
 * Explains `oidc: error evaluating …`, and the errors of extra values, which have no such prefix.
 */
export const evaluationMessage = (message: string): RecognizedMessage | undefined => {
  for (const kind of expressionKinds) {
    const rest = after(message, `oidc: error evaluating ${kind.prefix}: `);
    if (rest !== undefined) return evaluationOf(message, rest, kind);
  }
  if (extraKind !== undefined && /^expression '.*' resulted in error: /s.test(message))
    return evaluationOf(message, message, extraKind);
  return undefined;
};

const evaluationOf = (message: string, rest: string, kind: ExpressionKind): RecognizedMessage => {
  const base = { message, subject: kind.subject, form: 'expression' as const };
  const refused = /^validation expression '(.*?)' failed: ?(.*)$/s.exec(rest);
  if (refused !== null) {
    const [, expression = '', words = ''] = refused;
    const itsMessage = words === '' ? '' : ` Its message is ${JSON.stringify(words)}.`;
    return {
      ...base,
      kind: `${kind.page}-not-met`,
      meaning: `${kind.noun} evaluated to false for this ${kind.subject === 'user rule' ? 'user' : 'token'}.${itsMessage}`,
      fix:
        words === ''
          ? 'If the request should be accepted, change the rule. Add a message to the rule so that the log contains the reason.'
          : 'If the request should be accepted, change the rule.',
      facts: new Map([
        ['expression', expression],
        ['words', words],
        ['refusal', rest.endsWith(':') ? `${rest} ` : rest],
      ]),
    };
  }
  const failed = /^expression '(.*)' resulted in error: (.*)$/s.exec(rest);
  if (failed !== null) {
    const [, expression = '', cause = ''] = failed;
    const why = causeOf(cause);
    return {
      ...base,
      kind: `${kind.page}-failed`,
      meaning: `${kind.noun} failed: ${why.meaning}.`,
      fix: why.fix,
      facts: new Map([
        ...why.facts,
        ['expression', expression],
        ['cause', cause],
        ['reason', why.name],
      ]),
    };
  }
  const typed = /^(?:(.*): )?(?:\w+ claim )?(?:validation )?expression must return .*$/s.exec(rest);
  if (typed !== null)
    return {
      ...base,
      kind: `${kind.page}-mistyped`,
      meaning: `${kind.noun} returned a value that is not ${kind.wrongType}.`,
      fix:
        kind.wrongType === 'a string or a list of strings'
          ? 'The lists that split(), findAll() and list + [] return have the wrong element type: append .map(x, x) to the expression.'
          : `Change the expression to return ${kind.wrongType}.`,
      facts: new Map(typed[1] === undefined ? [] : [['expression', typed[1]]]),
    };
  return {
    ...base,
    kind: `${kind.page}-failed`,
    meaning: `${kind.noun} failed: ${rest}.`,
    fix: "Try it with the token's claims: `authgraph whoami --explain`.",
    facts: new Map(),
  };
};

const causeOf = (cause: string) =>
  firstMatch(cause, evaluationPatterns) ?? {
    name: 'expression-failed',
    meaning: cause,
    fix: '',
    facts: new Map<string, string>(),
  };
