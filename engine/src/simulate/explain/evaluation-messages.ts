/**
 * Explains messages about an expression that ran: its role, and why it failed or rejected the user.
 */
import { after, factsOf, fill, type RecognizedMessage } from './match-message.ts';
import { evaluationPatterns, type MessageSubject } from './message-patterns.ts';

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
    wrongType: 'a text',
  },
  {
    prefix: 'group claim expression',
    subject: 'groups',
    noun: 'The expression for the groups',
    page: 'groups-expression',
    wrongType: 'a text or a list of texts',
  },
  {
    prefix: 'uid claim expression',
    subject: 'uid',
    noun: 'The expression for the UID',
    page: 'uid-expression',
    wrongType: 'a text',
  },
  {
    prefix: 'extra claim expression',
    subject: 'extra',
    noun: 'An expression for an extra value',
    page: 'extra-expression',
    wrongType: 'a text or a list of texts',
  },
];

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
    const said = words === '' ? '' : `, saying ${JSON.stringify(words)}`;
    return {
      ...base,
      kind: `${kind.page}-not-met`,
      meaning: `${kind.noun} did its work: its expression was false for this ${kind.subject === 'user rule' ? 'user' : 'token'}${said}.`,
      fix:
        words === ''
          ? 'If the request should pass, change the rule. Give the rule a message, so that the log says what was wrong.'
          : 'If the request should pass, change the rule.',
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
      meaning: `${kind.noun} failed while it ran: ${why.meaning}.`,
      fix: why.fix,
      facts: new Map([
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
      meaning: `${kind.noun} gave a value of another type than ${kind.wrongType}.`,
      fix:
        kind.wrongType === 'a text or a list of texts'
          ? 'A bare split(), findAll() or list + [] has the wrong inner type although it looks right: end the expression with .map(x, x).'
          : `Let the expression give ${kind.wrongType}.`,
      facts: new Map(typed[1] === undefined ? [] : [['expression', typed[1]]]),
    };
  return {
    ...base,
    kind: `${kind.page}-failed`,
    meaning: `${kind.noun} failed: ${rest}.`,
    fix: 'Try it with the token’s claims: `authgraph whoami --explain`.',
    facts: new Map(),
  };
};

const causeOf = (
  cause: string,
): { readonly name: string; readonly meaning: string; readonly fix: string } => {
  for (const { name, pattern, meaning, fix } of evaluationPatterns) {
    const match = pattern.exec(cause);
    if (match === null) continue;
    const facts = factsOf(match);
    return { name, meaning: fill(meaning, facts), fix: fill(fix, facts) };
  }
  return { name: 'expression-failed', meaning: cause, fix: '' };
};
