/** The condition that a token becomes a wanted user, and what it distinguishes about claims. */
import { linkMapping } from '../../authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../authenticators/jwt/map-claims.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import type { Mode } from '../../model/differences.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { addAuthenticatedGroup } from '../../runtime/combine-decisions.ts';
import { type AccessPart, readerFor, withoutConditions } from './access-part.ts';
import type { ExpressionReader } from './expression-reader.ts';
import type { PossibleValue } from './possible-values.ts';
import { readListMapping, readStringMapping, readStrings, readTokenId } from './user-values.ts';

/**
 * The user to look for.
 *
 * @example
 * ```ts
 * const target: WhoCanTarget = { field: 'groups', value: 'system:', match: 'prefix' };
 * ```
 */
export interface WhoCanTarget {
  readonly field: 'username' | 'groups' | 'extra';
  /** The key, for `extra`. */
  readonly key?: string;
  readonly value: string;
  readonly match: 'exact' | 'prefix';
}

/** Checks whether a user is a wanted one. */
export const matchesTarget = (
  user: UserInfo,
  { field, key = '', value, match }: WhoCanTarget,
): boolean => {
  const isMatch = (text: string): boolean =>
    match === 'exact' ? text === value : text.startsWith(value);
  if (field === 'username') return isMatch(user.username);
  const texts = field === 'groups' ? user.groups : (user.extra.get(key) ?? []);
  return texts.some(isMatch);
};

/** Checks whether a user is a wanted one only because of the group that kube-apiserver adds. */
export const isWantedByAddedGroup = (user: UserInfo, target: WhoCanTarget): boolean => {
  const added = addAuthenticatedGroup({ ...user, groups: [] }).groups;
  const mapped = user.groups.filter((group) => !added.includes(group));
  return (
    !matchesTarget({ ...user, groups: mapped }, target) &&
    matchesTarget({ ...user, groups: added }, target)
  );
};

/** Returns the part that a token becomes a wanted user. */
export const wantedPart = (
  node: JwtNode,
  target: WhoCanTarget,
  { graph, mode }: { readonly graph: AuthenticatorGraph; readonly mode: Mode },
): AccessPart => {
  const reader = readerFor(node, 'wanted');
  const credentialIdKey = tokenCredentialIdKey(graph.apiDomain, graph.targetRelease);
  const { field, text, values } = wantedOutput(reader, node, target, credentialIdKey);
  for (const value of values) {
    reader.read(value);
    reader.testLiteral(value, target.match === 'exact' ? 'equals' : 'startsWith', target.value);
  }
  const { username, groups, extra } = node;
  const mappings = { ...withoutConditions(node), username, groups, extra };
  const linked = linkMapping(mappings, planSerialized);
  const options = { mode, credentialIdKey };
  return {
    key: 'wanted user',
    side: 'after',
    at: `${node.id}.${field}`,
    text,
    reads: reader.reads,
    readsAllClaims: reader.readsAllClaims,
    unsupported: [...reader.unsupported],
    leaves: [],
    literals: [target.value],
    elementFields: [],
    test(claims) {
      const outcome = mapClaims(linked, { claims, unreadable: new Map() }, options);
      return outcome.kind === 'user' && matchesTarget(addAuthenticatedGroup(outcome.user), target);
    },
  };
};

/** The mapping that gives the wanted value, and the values that it can give. */
interface WantedOutput {
  readonly field: string;
  readonly text: string;
  readonly values: readonly PossibleValue[];
}

const wantedOutput = (
  reader: ExpressionReader,
  node: JwtNode,
  { field, key = '' }: WhoCanTarget,
  credentialIdKey: string | undefined,
): WantedOutput => {
  // The part also maps the other fields, which must succeed.
  const username = readStringMapping(reader, node.username);
  reader.readAll(username);
  const groups = node.groups === undefined ? undefined : readListMapping(reader, node.groups);
  const extra = node.extra.map(({ expression }) => readStrings(reader, expression));
  if (field === 'username') {
    return { field: 'claimMappings.username', text: textOf(node.username), values: username };
  }
  if (field === 'groups') {
    if (groups === undefined) return { field: 'issuer', text: node.issuerUrl, values: [] };
    reader.testElements(groups.paths, 'wanted group');
    return { field: 'claimMappings.groups', text: textOf(node.groups), values: groups.elements };
  }
  const index = node.extra.findIndex((mapped) => mapped.key === key);
  const list = extra[index];
  if (list !== undefined) {
    reader.testElements(list.paths, 'wanted value');
    const text = node.extra[index]?.expression.text ?? '';
    return { field: `claimMappings.extra[${index}]`, text, values: list.elements };
  }
  const values = key === credentialIdKey ? readTokenId(reader).elements : [];
  return { field: 'issuer', text: 'jti', values };
};

const textOf = (mapping: JwtNode['groups']): string => {
  if (mapping === undefined) return '';
  return mapping.kind === 'claim' ? mapping.claim : mapping.expression.text;
};
