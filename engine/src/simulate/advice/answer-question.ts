/** Answers the questions of findings with examples and proofs. */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { Evidence, EvidenceQuestion, PossibleToken } from '../../diagnostics/evidence.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import { anonymousPath, anonymousUser } from '../access/anonymous-access.ts';
import { type AcceptedToken, EntrySearch, tokenOf, tokens } from './entry-search.ts';

/** The answer: evidence for the finding, or that there is none. */
export type QuestionAnswer = Evidence | 'refuted';

type QuestionOf<Kind extends EvidenceQuestion['kind']> = Extract<
  EvidenceQuestion,
  { readonly kind: Kind }
>;

/** Returns the answer to a question about a graph. */
export const answerQuestion = (
  question: EvidenceQuestion,
  graph: AuthenticatorGraph,
  maxEvaluations: number,
): QuestionAnswer => {
  if (question.kind === 'anonymous') return anonymousAnswer(graph);
  const search = searchOf(graph, question.entry, maxEvaluations);
  if (search === undefined) return 'refuted';
  // It is true again once some tokens are accepted.
  const isMoot = question.isOpen !== true && search.accepted.kind === 'proved';
  if (isMoot) return { kind: 'undecided', tried: 0 };
  switch (question.kind) {
    case 'user':
      return exampleOf(search.becoming(question.target));
    case 'accepted':
      return acceptedAnswer(question, search);
    case 'rejected':
      return rejectedAnswer(question, search);
    case 'shared username':
      return sharedUsername(search, searchOf(graph, question.other, maxEvaluations), graph);
    case 'rule rejects all':
      // An accepted token passes every rule.
      return search.accepted.kind !== 'found' && search.rejectsAll(question.field)
        ? { kind: 'proof', statement: 'no claims satisfy this rule' }
        : 'refuted';
    case 'entry rejects all':
      return search.accepted.kind === 'proved'
        ? { kind: 'proof', statement: 'no token of this issuer is accepted' }
        : 'refuted';
    case 'cost':
      return costAnswer(question, search);
  }
};

/** Searches are cached with the node, which stays the same until its entry is edited. */
const searches = new WeakMap<object, Map<number, EntrySearch>>();

const searchOf = (
  graph: AuthenticatorGraph,
  entry: number,
  maxEvaluations: number,
): EntrySearch | undefined => {
  const node = graph.nodes[entry];
  if (node === undefined) return undefined;
  const ofNode = searches.get(node) ?? new Map<number, EntrySearch>();
  searches.set(node, ofNode);
  const search = ofNode.get(maxEvaluations) ?? new EntrySearch(node, graph, maxEvaluations);
  ofNode.set(maxEvaluations, search);
  return search;
};

/** Nothing was found, which proves nothing. */
const notDecided: Evidence = { kind: 'undecided', tried: 0 };

const exampleOf = (found: AcceptedToken): QuestionAnswer => {
  if (found.kind === 'proved') return 'refuted';
  return found.kind === 'found' ? tokens(tokenOf(found.claims, found.user)) : found;
};

/** Changes claims of an accepted token, and checks whether it is still accepted. */
const acceptedAnswer = (
  { tokens: possible, areExamples }: QuestionOf<'accepted'>,
  search: EntrySearch,
): QuestionAnswer => {
  const base = search.accepted;
  if (base.kind === 'proved') return 'refuted';
  const known = base.kind === 'found' ? base.claims : { aud: search.node.audiences[0] ?? '' };
  for (const token of possible) {
    const example = search.decided(changedClaims(known, token, search.node.issuerUrl));
    if (example === undefined) return notDecided;
    if (example.user !== null) return tokens(example);
  }
  if (base.kind === 'undecided') return { kind: 'undecided', tried: base.tried };
  return areExamples === true ? notDecided : 'refuted';
};

const changedClaims = (
  known: JsonObject,
  { claims, others }: PossibleToken,
  issuer: string,
): JsonObject => {
  const { aud, ...optional } = known;
  const optionalEntries = Object.entries(optional).filter(
    ([name]) => others === undefined || others.includes(name),
  );
  // Data of the lints, which is JSON.
  return {
    iss: issuer,
    aud: aud ?? '',
    ...Object.fromEntries(optionalEntries),
    ...(claims as JsonObject),
  };
};

const rejectedAnswer = (
  { without }: QuestionOf<'rejected'>,
  search: EntrySearch,
): QuestionAnswer => {
  const base = search.accepted;
  if (base.kind !== 'found') return base.kind === 'proved' ? 'refuted' : base;
  if (!(without in base.claims)) return 'refuted';
  if (search.isSpent) return notDecided;
  // A spread without the claim takes much longer for many claims.
  const claims = Object.fromEntries(
    Object.entries(base.claims).filter(([name]) => name !== without),
  );
  const example = search.decided(claims);
  if (example === undefined) return notDecided;
  return example.user === null ? tokens(example) : 'refuted';
};

/** Looks for a username of one entry that a token of the other one can have, too. */
const sharedUsername = (
  search: EntrySearch,
  other: EntrySearch | undefined,
  graph: AuthenticatorGraph,
): QuestionAnswer => {
  const pairs = other === undefined ? [] : [[search, other] as const, [other, search] as const];
  // An address is a likely value of other claims; the reverse is not true.
  const isAddress = ([{ accepted }]: (typeof pairs)[number]): boolean =>
    accepted.kind === 'found' && accepted.user.username.includes('@');
  for (const [one, another] of pairs.toSorted(
    (a, b) => Number(isAddress(b)) - Number(isAddress(a)),
  )) {
    const first = one.accepted;
    if (first.kind !== 'found') continue;
    const { username: value } = first.user;
    const second = another.becoming({ field: 'username', value, match: 'exact' }, graph);
    if (second.kind === 'found')
      return tokens(tokenOf(first.claims, first.user), tokenOf(second.claims, second.user));
  }
  return 'refuted';
};

/** Fills the lists of an accepted token, and checks whether it is rejected. */
const costAnswer = (
  { claim, listLength }: QuestionOf<'cost'>,
  search: EntrySearch,
): QuestionAnswer => {
  const base = search.accepted;
  if (base.kind !== 'found') return 'refuted';
  const list = Array.from({ length: listLength }, (_, index) => `group-${index + 1}`);
  const short = search.decided({ ...base.claims, [claim]: list.slice(0, 2) });
  const long = search.decided({ ...base.claims, [claim]: list });
  if (short === undefined || long === undefined) return notDecided;
  // A rejection for another reason does not depend on the length.
  return short.user !== null && long.user === null ? tokens(long) : 'refuted';
};

const anonymousAnswer = (graph: AuthenticatorGraph): QuestionAnswer => {
  const path = anonymousPath(graph);
  if (path === undefined) return 'refuted';
  const { username, groups } = anonymousUser;
  return { kind: 'request', path: path === '/' ? '/api' : path, user: { username, groups } };
};
