/** What shows that a finding is true: a token, a request or a proof. */

/**
 * The user of an example.
 *
 * @example
 * ```ts
 * const user: EvidenceUser = { username: 'oidc:jane', groups: ['system:authenticated'] };
 * ```
 */
export interface EvidenceUser {
  readonly username: string;
  readonly groups: readonly string[];
}

/**
 * The claims of a token, and what the configuration makes of them.
 *
 * @example
 * ```ts
 * const isRejected = ({ user }: EvidenceToken) => user === null;
 * ```
 */
export interface EvidenceToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** `null` if the token is rejected. */
  readonly user: EvidenceUser | null;
}

/**
 * Evidence for a finding. A token is confirmed by the linked graph; a proof holds for tokens within
 * the limits of size and cost.
 *
 * @example
 * ```ts
 * const isShown = ({ kind }: Evidence) => kind !== 'undecided';
 * ```
 */
export type Evidence =
  | { readonly kind: 'tokens'; readonly tokens: readonly EvidenceToken[] }
  /** A request without a credential. */
  | { readonly kind: 'request'; readonly path: string; readonly user: EvidenceUser }
  | { readonly kind: 'proof'; readonly statement: string }
  /** Neither an example nor a proof was found. */
  | { readonly kind: 'undecided'; readonly tried: number };

/**
 * A token that an issuer can issue.
 *
 * @example
 * ```ts
 * const token: PossibleToken = { claims: { hd: 'example.com' }, others: ['iat', 'exp'] };
 * ```
 */
export interface PossibleToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /**
   * The other claims that it can have, with any value that the rules demand; absent if it can have
   * all claims.
   */
  readonly others?: readonly string[];
}

/**
 * A question about the configuration, whose answer is the evidence. A finding that the answer
 * refutes is not reported.
 *
 * @example
 * ```ts
 * const question: EvidenceQuestion = {
 *   kind: 'user',
 *   entry: 0,
 *   target: { field: 'groups', value: 'system:masters', match: 'exact' },
 * };
 * ```
 */
export type EvidenceQuestion = {
  /** True if only the answer shows that the finding is true: without it, nothing is reported. */
  readonly isOpen?: true;
} & (EntryQuestion | { readonly kind: 'anonymous' });

/**
 * A question about one entry of `jwt`.
 *
 * @example
 * ```ts
 * const question: EntryQuestion = { kind: 'rejected', entry: 0, without: 'email' };
 * ```
 */
export type EntryQuestion = {
  /** The index of the entry. */
  readonly entry: number;
} & (
  | {
      /** Can a token become this user? */
      readonly kind: 'user';
      readonly target: {
        readonly field: 'username' | 'groups';
        readonly value: string;
        readonly match: 'exact' | 'prefix';
      };
    }
  /** Is one of these tokens accepted? */
  | {
      readonly kind: 'accepted';
      readonly tokens: readonly PossibleToken[];
      /** True if the issuer issues similar tokens, so that rejecting these refutes nothing. */
      readonly areExamples?: true;
    }
  /** Is a token rejected because it lacks this claim? */
  | { readonly kind: 'rejected'; readonly without: string }
  /** Can tokens of two entries become the same user? */
  | { readonly kind: 'shared username'; readonly other: number }
  /** Does a rule reject every token? The field is `claimValidationRules[0]`, for example. */
  | { readonly kind: 'rule rejects all'; readonly field: string }
  /** Does the entry reject every token? */
  | { readonly kind: 'entry rejects all' }
  /** Is a token rejected because a list in this claim is long? */
  | { readonly kind: 'cost'; readonly claim: string; readonly listLength: number }
);

/** Describes evidence in a few words; `undefined` if there is nothing to show. */
export const evidenceText = (evidence: Evidence): string | undefined => {
  switch (evidence.kind) {
    case 'tokens':
      return evidence.tokens.map(tokenText).join('; ');
    case 'request':
      return `a request for ${evidence.path} without a credential maps to ${userText(evidence.user)}`;
    case 'proof':
      return evidence.statement;
    case 'undecided':
      return undefined;
  }
};

/** Returns evidence as a further line of a message; empty if there is nothing to show. */
export const evidenceLine = ({ evidence }: { readonly evidence?: Evidence }): string => {
  const text = evidence === undefined ? undefined : evidenceText(evidence);
  if (evidence === undefined || text === undefined) return '';
  return `\n${evidenceLabel(evidence) === 'proof' ? 'Proof' : 'Example'}: ${text}`;
};

/** Returns the label of evidence in a terminal. */
export const evidenceLabel = ({ kind }: Evidence): 'proof' | 'example' =>
  kind === 'proof' ? 'proof' : 'example';

const tokenText = ({ claims, user }: EvidenceToken): string => {
  const written = shortened(JSON.stringify(claims), maxClaimsLength);
  return user === null ? `${written} is rejected` : `${written} maps to ${userText(user)}`;
};

const userText = ({ username, groups }: EvidenceUser): string => {
  const own = groups.filter((group) => !defaultGroups.has(group));
  const name = shortened(JSON.stringify(username), maxNameLength);
  if (own.length === 0) return name;
  const list = own.slice(0, maxGroupsShown).map((group) => shortened(group, maxNameLength));
  const more = own.length > list.length ? ` and ${own.length - list.length} more` : '';
  return `${name} in ${list.join(', ')}${more}`;
};

/** The groups of all requests that are authenticated, or are not. */
const defaultGroups: ReadonlySet<string> = new Set([
  'system:authenticated',
  'system:unauthenticated',
]);

const maxClaimsLength = 300;
const maxNameLength = 100;
const maxGroupsShown = 3;

const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}…`;
