/**
 * Explains a message of kube-apiserver: what it means, how to fix it, and what it is about. The
 * result depends only on the text; `message-places.ts` finds the place in a given configuration.
 */
import { verifyPrefix } from '../../authenticators/jwt/rejections.ts';
import type { ModuleId } from '../../model/module-id.ts';
import { unclaimedToken } from '../../runtime/rejections.ts';
import { bareCertificatePatterns } from './bare-certificate-patterns.ts';
import { evaluationMessage } from './evaluation-messages.ts';
import { matchStage, maxStageMessage } from './explain-module.ts';
import { after, firstMatch, matchOne, type RecognizedMessage } from './match-message.ts';
import { type MessageSubject, topPatterns } from './message-patterns.ts';
import { rejectionWithMessage } from './rejection-patterns.ts';
import { distributedPatterns, verificationPatterns } from './token-patterns.ts';
import { validationMessage } from './validation-messages.ts';

export interface MessageExplanation extends RecognizedMessage {
  /** Our code for the same cause, with the name of its documentation page. */
  readonly rejection: { readonly code: string; readonly name: string } | undefined;
  /** The module that wrote the message, if that is certain and it is not `jwt`. */
  readonly module?: ModuleId;
  /** Server flags that the message is about, without dashes. */
  readonly flags: readonly string[];
}

/**
 * Returns `undefined` for a text that kube-apiserver does not write about authentication. A message
 * that this server sent to an API server as its webhook ends in our code.
 */
export const explainMessage = (text: string): MessageExplanation | undefined => {
  const message = text.replace(/ \(AG5\d{3}\)$/, '');
  if (message.length > maxStageMessage) return longMessage(message);
  const found = verification(message) ?? distributed(message) ?? evaluationMessage(message);
  if (found !== undefined) return explained(found);
  const stage = ofStage(message);
  if (stage !== undefined) return stage;
  const other = matchOne(message, message, topPatterns, 'none') ?? validationMessage(message);
  if (other !== undefined) return explained(other);
  // Only the end of a message was copied.
  const whole = verificationEnd.test(message)
    ? verification(`${verifyPrefix}${message}`)
    : undefined;
  return whole === undefined ? undefined : { ...explained(whole), message };
};

const verificationEnd = /^(?:oidc: |failed to verify |fetching keys )/;

/** Matches only patterns that take linear time. */
const longMessage = (message: string): MessageExplanation | undefined => {
  const found = validationMessage(message);
  return ofStage(message) ?? (found === undefined ? undefined : explained(found));
};

const explained = (found: RecognizedMessage): MessageExplanation => ({
  ...found,
  rejection: codeOf(found),
  flags: [],
});

/**
 * Explains an error about a certificate that was copied without the line that shows whose certificate
 * it is.
 */
export const explainBareCertificateError = (text: string): MessageExplanation | undefined => {
  const found = firstMatch(text.slice(0, maxStageMessage), bareCertificatePatterns);
  return found === undefined ? undefined : stageExplanation(text, found);
};

const ofStage = (message: string): MessageExplanation | undefined => {
  const found = matchStage(message);
  return found === undefined ? undefined : stageExplanation(message, found);
};

const stageExplanation = (
  message: string,
  found: NonNullable<ReturnType<typeof matchStage>>,
): MessageExplanation => {
  const { name: kind, refusal, meaning, fix, facts, flags = [], module } = found;
  const named = facts.get('flag');
  return {
    message,
    kind,
    rejection: refusal && { code: refusal.code, name: refusal.name },
    subject: 'none',
    form: 'claim',
    meaning,
    fix,
    facts,
    flags: named === undefined ? flags : [...flags, named],
    ...(module === undefined ? {} : { module }),
  };
};

const codeOf = (found: RecognizedMessage): MessageExplanation['rejection'] => {
  const { kind, subject, facts, message } = found;
  const code = facts.get('code');
  if (code !== undefined) return { code, name: kind };
  const row =
    codeByKind.get(kind) ??
    (subjectsOfTokens.has(subject) ? rejectionWithMessage(message) : undefined);
  return row === undefined ? undefined : { code: row.code, name: row.name };
};

/** The codes of rejections that come from no authenticator, and of files that cannot be read. */
const codeByKind: ReadonlyMap<string, { readonly code: string; readonly name: string }> = new Map([
  ['no-authenticator-took-token', { code: unclaimedToken.code, name: 'no-authenticator' }],
  ['too-many-checks', { code: 'AG5026', name: 'too-many-checks' }],
  ['request-canceled', { code: 'AG5023', name: 'request-canceled' }],
  ['api-audience-mismatch', { code: 'AG5009', name: 'audience-mismatch' }],
  ['internal-error', { code: 'AG5000', name: 'internal-error' }],
  ['anonymous-flag-and-section', { code: 'AG3001', name: 'anonymous-flag-and-section' }],
  ['egress-lookup-missing', { code: 'AG3002', name: 'egress-lookup-missing' }],
  ['anonymous-changed', { code: 'AG5101', name: 'anonymous-changed' }],
  ['file-empty', { code: 'AG1005', name: 'empty-file' }],
  ['file-without-kind', { code: 'AG1006', name: 'missing-version' }],
  ['file-kind-unknown', { code: 'AG1007', name: 'unknown-version' }],
  ['file-kind-other', { code: 'AG1007', name: 'unknown-version' }],
  ['file-duplicate-key', { code: 'AG1003', name: 'duplicate-key' }],
  ['file-strict-decoding', { code: 'AG1008', name: 'unknown-field' }],
  ['file-version-unreadable', { code: 'AG1005', name: 'empty-file' }],
  ['file-type-mismatch', { code: 'AG1010', name: 'wrong-type' }],
  ['file-yaml-broken', { code: 'AG1001', name: 'yaml-syntax' }],
  ['expression-error', { code: 'AG2001', name: 'expression-error' }],
]);

/** Subjects of token rejections; other subjects are about files and flags. */
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

/**
 * Reports whether a known message begins here, or a message that nothing can follow ends before it.
 * It is used to split lists of errors, which may contain any text of a webhook.
 */
export const startsMessage = (text: string, before = ''): boolean =>
  messageStart.test(text) || closedMessage.test(before);

const closedMessage =
  /^(?:invalid bearer token|go-jose\/go-jose: error in cryptographic primitive|invalid signature, no keys found|service account token (?:has expired|is not valid yet|is issued in the future|has been invalidated)|Token has been invalidated|(?:sub|namespace|secretName|serviceAccountUID|serviceAccountName) claim is missing|(?:verifying certificate SN=\d*, SKID=[\dA-F:]*, AKID=[\dA-F:]* failed: )?x509: (?:certificate signed by unknown authority|certificate specifies an incompatible key usage)|oidc: (?:email not verified|authenticator not initialized))$/;

const messageStart =
  /^(?:oidc: |oidc authenticator: |invalid bearer token(?:$|[,\]])|jwt(?:\[\d+\]|: )|anonymous[.:]|issuer\.|expression '|unable to match the audience|authentication-config file|oidc-issuer-url and|strict decoding error|empty config data$|x509: |tls: failed to verify |Get "|http: TLS |verifying certificate |expected 1 UID|go-jose\/go-jose|square\/go-jose|invalid signature, no keys|service account |service-account-|either `--|token audiences \[|(?:serviceaccounts|pods|nodes|secrets) "|ServiceAccount |(?:pod|node|secret) UID \(|the token in secret |Post "|webhook: |converting \(|0-length response|the server |an error on the server |json: cannot unmarshal |(?:sub|namespace|secretName|serviceAccountUID|serviceAccountName) claim is |missing additional subprotocol|UID cannot be|token (?:issuer "|is bound to )|Token (?:has|does) |multiple base64\.|invalid base64\.|empty value in "|empty header "|--[a-z][\w-]*(?:[ =:]|, --)|unknown (?:shorthand )?flag: |unknown field "|invalid argument "|cannot set feature gate |unrecognized feature gate|set --feature-gates|open \/|missing filename for)/;

const verification = (message: string): RecognizedMessage | undefined => {
  const rest = after(message, verifyPrefix);
  return rest === undefined ? undefined : matchOne(message, rest, verificationPatterns, 'issuer');
};

const distributed = (message: string): RecognizedMessage | undefined => {
  const rest = after(message, 'oidc: could not expand distributed claims: ');
  if (rest === undefined) return undefined;
  const inner = after(rest, 'verify distributed claim token: ');
  if (inner === undefined) return matchOne(message, rest, distributedPatterns, 'groups');
  const found = matchOne(message, inner, verificationPatterns, 'issuer');
  return found === undefined
    ? undefined
    : {
        ...found,
        subject: 'groups',
        meaning: `The groups are in a second token, which was rejected. ${found.meaning}`,
      };
};
