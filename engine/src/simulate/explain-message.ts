/**
 * A message of the real server -> what it means, how to mend it, and what it speaks of. Pure: the
 * text alone decides; `message-places.ts` finds the place in a given configuration.
 */
import { rejectionOf } from '../authenticators/jwt/rejections.ts';
import type { ModuleId } from '../model/module-id.ts';
import { matchStage } from './explain-stage.ts';
import {
  distributedPatterns,
  evaluationPatterns,
  type MessagePattern,
  type MessageSubject,
  topPatterns,
  verificationPatterns,
} from './message-patterns.ts';
import {
  anonymousConditionsPattern,
  type ValidationPattern,
  validationPatterns,
} from './validation-patterns.ts';

export interface MessageExplanation {
  /** The message that is explained, out of the line it came in. */
  readonly message: string;
  /** What happened, finer than the code: `username-claim-missing`. */
  readonly kind: string;
  /** Our code for the same cause, with the name of its page. */
  readonly rejection: { readonly code: string; readonly name: string } | undefined;
  readonly meaning: string;
  readonly mend: string;
  readonly subject: MessageSubject;
  /** Whether the subject is there as an expression; `claim` where it is not, or where both fit. */
  readonly form: 'claim' | 'expression';
  /** What the message says of its subject: `claim`, `expression`, `issuer`, `path`, `want`, … */
  readonly facts: ReadonlyMap<string, string>;
  /** Who wrote it, where that is certain and it is not `jwt`. */
  readonly module?: ModuleId;
  /** Flags of the server that it speaks of, without dashes. */
  readonly flags: readonly string[];
}

/** `undefined` for a text that the real server does not write about authentication. */
export const explainMessage = (message: string): MessageExplanation | undefined => {
  const found = verification(message) ?? distributed(message) ?? evaluation(message);
  if (found !== undefined) return explained(found);
  const stage = ofStage(message);
  if (stage !== undefined) return stage;
  const other = matchOne(message, message, topPatterns) ?? validation(message);
  return other === undefined ? undefined : explained(other);
};

const explained = (found: Recognised): MessageExplanation => ({
  ...found,
  rejection: codeOf(found),
  flags: [],
});

const ofStage = (message: string): MessageExplanation | undefined => {
  const found = matchStage(message);
  if (found === undefined) return undefined;
  const { row, match } = found;
  const facts = factsOf(match);
  const named = facts.get('flag');
  const { code, name } = row.refusal ?? {};
  return {
    message,
    kind: row.name,
    rejection: code === undefined || name === undefined ? undefined : { code, name },
    subject: 'none',
    form: 'claim',
    meaning: fill(row.meaning, facts),
    mend: fill(row.mend, facts),
    facts,
    flags: [...(row.flags ?? []), ...(named === undefined ? [] : [named])],
    ...(row.module === undefined ? {} : { module: row.module }),
  };
};

const codeOf = (found: Recognised): MessageExplanation['rejection'] => {
  const { kind, subject, facts, message } = found;
  const code = facts.get('code');
  if (code !== undefined) return { code, name: kind };
  const row =
    codeByKind.get(kind) ?? (subjectsOfTokens.has(subject) ? rejectionOf(message) : undefined);
  return row === undefined ? undefined : { code: row.code, name: row.name };
};

/** Refusals that no authenticator spoke, and files that cannot be read. */
const codeByKind: ReadonlyMap<string, { readonly code: string; readonly name: string }> = new Map([
  ['no-authenticator-took-token', { code: 'AG5022', name: 'no-authenticator' }],
  ['request-canceled', { code: 'AG5023', name: 'request-canceled' }],
  ['api-audience-mismatch', { code: 'AG5009', name: 'audience-mismatch' }],
  ['internal-error', { code: 'AG5000', name: 'internal-error' }],
  ['anonymous-flag-and-section', { code: 'AG3001', name: 'anonymous-flag-and-section' }],
  ['anonymous-changed', { code: 'AG5101', name: 'anonymous-changed' }],
  ['file-empty', { code: 'AG1005', name: 'empty-file' }],
  ['file-without-kind', { code: 'AG1006', name: 'missing-version' }],
  ['file-kind-unknown', { code: 'AG1007', name: 'unknown-version' }],
  ['file-kind-other', { code: 'AG1007', name: 'unknown-version' }],
  ['file-duplicate-key', { code: 'AG1003', name: 'duplicate-key' }],
  ['file-strict-decoding', { code: 'AG1008', name: 'unknown-field' }],
  ['file-type-mismatch', { code: 'AG1010', name: 'wrong-type' }],
  ['file-yaml-broken', { code: 'AG1001', name: 'yaml-syntax' }],
]);

/** Without its code. */
type Recognised = Omit<MessageExplanation, 'rejection' | 'module' | 'flags'>;

/** Refusals of a token; the rest is about files and flags. */
const subjectsOfTokens: ReadonlySet<MessageSubject> = new Set([
  'issuer',
  'audiences',
  'username',
  'groups',
  'uid',
  'extra',
  'claim rule',
  'user rule',
]);

/** True when a message that we know begins here; used to cut lists of errors. */
export const startsMessage = (text: string): boolean => messageStart.test(text);

const messageStart =
  /^(?:oidc: |oidc authenticator: |invalid bearer token(?:$|[,\]])|jwt(?:\[\d+\]|: )|anonymous[.:]|issuer\.|expression '|unable to match the audience|authentication-config file|oidc-issuer-url and|strict decoding error|x509: |verifying certificate |expected 1 UID|go-jose\/go-jose|square\/go-jose|invalid signature, no keys|service account |service-account-|either `--|token audiences \[|(?:serviceaccounts|pods|nodes|secrets) "|ServiceAccount |(?:pod|node|secret) UID \(|the token in secret |Post "|webhook: |converting \(|0-length response|the server |an error on the server |json: cannot unmarshal |(?:sub|namespace|secretName|serviceAccountUID|serviceAccountName) claim is |missing additional subprotocol|UID cannot be|token (?:issuer "|is bound to )|Token (?:has|does) |multiple base64\.|invalid base64\.|empty value in "|empty header "|--[a-z]|unknown (?:shorthand )?flag: |invalid argument "|cannot set feature gate |unrecognized feature gate|set --feature-gates|open \/|missing filename for)/;

const verification = (message: string): Recognised | undefined => {
  const rest = after(message, 'oidc: verify token: ');
  return rest === undefined ? undefined : matchOne(message, rest, verificationPatterns);
};

const distributed = (message: string): Recognised | undefined => {
  const rest = after(message, 'oidc: could not expand distributed claims: ');
  if (rest === undefined) return undefined;
  const inner = after(rest, 'verify distributed claim token: ');
  if (inner === undefined) return matchOne(message, rest, distributedPatterns);
  const found = matchOne(message, inner, verificationPatterns);
  return found === undefined
    ? undefined
    : {
        ...found,
        subject: 'groups',
        meaning: `The groups of this token stand in a second token, which was refused. ${found.meaning}`,
      };
};

interface ExpressionKind {
  /** Behind `oidc: error evaluating `. */
  readonly prefix: string;
  readonly subject: MessageSubject;
  readonly noun: string;
  /** Start of the names of its pages. */
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

/** The one kind whose run-time errors carry no prefix. */
const extraKind = expressionKinds.at(-1);

const evaluation = (message: string): Recognised | undefined => {
  for (const kind of expressionKinds) {
    const rest = after(message, `oidc: error evaluating ${kind.prefix}: `);
    if (rest !== undefined) return evaluationOf(message, rest, kind);
  }
  if (extraKind !== undefined && /^expression '.*' resulted in error: /s.test(message))
    return evaluationOf(message, message, extraKind);
  return undefined;
};

const evaluationOf = (message: string, rest: string, kind: ExpressionKind): Recognised => {
  const base = { message, subject: kind.subject, form: 'expression' as const };
  const refused = /^validation expression '(.*?)' failed: ?(.*)$/s.exec(rest);
  if (refused !== null) {
    const [, expression = '', words = ''] = refused;
    const said = words === '' ? '' : `, saying ${JSON.stringify(words)}`;
    return {
      ...base,
      kind: `${kind.page}-not-met`,
      meaning: `${kind.noun} did its work: its expression was false for this ${kind.subject === 'user rule' ? 'user' : 'token'}${said}.`,
      mend:
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
      mend: why.mend,
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
      mend:
        kind.wrongType === 'a text or a list of texts'
          ? 'A bare split(), findAll() or list + [] has the wrong inner type although it looks right: end the expression with .map(x, x).'
          : `Let the expression give ${kind.wrongType}.`,
      facts: new Map(typed[1] === undefined ? [] : [['expression', typed[1]]]),
    };
  return {
    ...base,
    kind: `${kind.page}-failed`,
    meaning: `${kind.noun} failed: ${rest}.`,
    mend: 'Try it with the token’s claims: `authgraph whoami --explain`.',
    facts: new Map(),
  };
};

const causeOf = (
  cause: string,
): { readonly name: string; readonly meaning: string; readonly mend: string } => {
  for (const { name, pattern, meaning, mend } of evaluationPatterns) {
    const match = pattern.exec(cause);
    if (match === null) continue;
    const facts = factsOf(match);
    return { name, meaning: fill(meaning, facts), mend: fill(mend, facts) };
  }
  return { name: 'expression-failed', meaning: cause, mend: '' };
};

/** Errors of the configuration: `jwt[0].issuer.url: Invalid value: "http://…": URL scheme must be https`. */
const validation = (message: string): Recognised | undefined => {
  const match =
    /^(?<path>(?:jwt|anonymous|issuer|claimMappings)(?:[.[][\w.[\]]*)?): (?<type>Required value|Invalid value|Duplicate value|Forbidden|Too many|Unsupported value|Internal error)(?:: (?<rest>.*))?$/s.exec(
      message,
    );
  if (match === null) return undefined;
  const facts = new Map(factsOf(match));
  const path = facts.get('path') ?? '';
  const type = facts.get('type') ?? '';
  const base = { message, subject: 'field', form: 'claim' } as const;
  const row = validationRow(path, type, facts.get('rest') ?? '');
  if (row === undefined)
    return {
      ...base,
      kind: 'configuration-refused',
      meaning: `The configuration was refused: ${sentenceByType.get(type) ?? 'the value is refused'} at ${path}.`,
      mend: '`authgraph check` marks the place in the file and says what to write.',
      facts,
    };
  facts.set('code', row.code);
  return {
    ...base,
    kind: row.name,
    meaning: `The configuration was refused at ${path}: ${lowerFirst(row.meaning)}`,
    mend: row.mend,
    facts,
  };
};

/** The value in the middle is somebody's text: only the end of the message is compared. */
const validationRow = (path: string, type: string, rest: string): ValidationPattern | undefined => {
  if (path.startsWith('anonymous'))
    return rest.endsWith(conditionsWords) ? anonymousConditionsPattern : undefined;
  const field = path.replace(/^jwt(?:\[\d+\])?/, '').replace(/^issuer/, '.issuer');
  const details = detailsOf(type, rest);
  return validationPatterns.find(
    (row) => row.field.test(field) && details.some((detail) => row.detail.test(detail)),
  );
};

const conditionsWords = 'enabled should be set to true when conditions are defined';

/** Every text that may be the detail: what follows each `: `, since values hold colons themselves. */
const detailsOf = (type: string, rest: string): readonly string[] => {
  if (type === 'Duplicate value') return [type];
  if (rest === '') return [type];
  const details = [rest];
  for (let at = rest.indexOf(': '); at !== -1; at = rest.indexOf(': ', at + 2)) {
    details.push(rest.slice(at + 2));
    if (details.length > maxDetails) break;
  }
  return type === 'Required value' ? [...details, ...(rest === '' ? [type] : [])] : details;
};

const maxDetails = 64;

const lowerFirst = (sentence: string): string =>
  /^[A-Z][a-z]/.test(sentence) ? sentence.slice(0, 1).toLowerCase() + sentence.slice(1) : sentence;

const sentenceByType: ReadonlyMap<string, string> = new Map([
  ['Required value', 'a value is missing'],
  ['Invalid value', 'the value is not allowed'],
  ['Duplicate value', 'the value stands there twice'],
  ['Forbidden', 'the field may not be there'],
  ['Too many', 'there are too many entries'],
  ['Internal error', 'the expression cannot be made ready to run'],
]);

const matchOne = (
  message: string,
  text: string,
  patterns: readonly MessagePattern[],
): Recognised | undefined => {
  for (const { name, pattern, subject, form, meaning, mend } of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const facts = factsOf(match);
    return {
      message,
      kind: name,
      subject,
      form: form ?? 'claim',
      meaning: fill(meaning, facts),
      mend: fill(mend, facts),
      facts,
    };
  }
  return undefined;
};

const after = (text: string, prefix: string): string | undefined =>
  text.startsWith(prefix) ? text.slice(prefix.length) : undefined;

const factsOf = (match: RegExpExecArray): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(match.groups ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  );

const fill = (sentence: string, facts: ReadonlyMap<string, string>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => facts.get(name) ?? '…');
