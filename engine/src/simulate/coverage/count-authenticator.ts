/**
 * Decides tokens with one JWT authenticator, by the function of the server, and counts which of its
 * parts had which outcome.
 */
import {
  type LinkedExpression,
  type LinkedMapping,
  type LinkedPrefixedMapping,
  linkMapping,
} from '../../authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../authenticators/jwt/map-claims.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import {
  claimRule,
  emailNotVerified,
  extraExpression,
  groupsExpression,
  requiredClaimType,
  uidExpression,
  usernameExpression,
  userRule,
} from '../../authenticators/jwt/rejections.ts';
import type { CelValue } from '../../cel/values/value.ts';
import type { Compilation } from '../../compile/compile.ts';
import { draftCredentialIdKey } from '../../compile/entry-node.ts';
import { originOfField } from '../../compile/origins.ts';
import type { RejectionDescription } from '../../model/rejection.ts';
import { audienceMismatch } from '../../signed-token/token-rejections.ts';
import { isForAudience } from '../whoami/token-checks.ts';
import { refusedClaims } from '../whoami/whoami-claims.ts';
import { type CountedPlace, countExpression } from './count-expression.ts';
import type { CoverageCase, CoverageKind } from './coverage.ts';

export class AuthenticatorCounter {
  readonly #node: JwtNode;
  readonly #compilation: Compilation;
  readonly #places: CountedPlace[] = [];
  /** The places of whole fields, by kind and field. */
  readonly #fieldPlaces = new Map<string, CountedPlace>();
  /** The texts of the places for rejections, by code. */
  readonly #rejectionNames = new Map<string, string>();
  readonly #mapping: LinkedMapping;
  /** The fields in the order in which they can reject a token. */
  readonly #fields: readonly string[];

  constructor(node: JwtNode, compilation: Compilation) {
    this.#node = node;
    this.#compilation = compilation;
    this.#addToken();
    this.#mapping = this.#count(linkMapping(node));
    this.#fields = fieldsOf(this.#mapping).map((field) => `${node.id}.${field}`);
    this.#addRejections();
  }

  /** The places in the order of the file; a field comes before its parts. */
  places(): readonly CountedPlace[] {
    return this.#places.toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  }

  /** Decides a case of this authenticator. */
  decide({ claims, now, isToken }: CoverageCase): void {
    const refused = isToken ? refusedClaims(this.#node, claims, now) : undefined;
    if (refused?.kind === 'rejected') {
      this.#hitRejection(refused.reason.code);
      return;
    }
    const outcome = mapClaims(this.#mapping, claims, {
      mode: 'product',
      credentialIdKey: draftCredentialIdKey(this.#compilation),
    });
    const rejectedAt = outcome.kind === 'rejected' ? this.#fields.indexOf(outcome.at) : undefined;
    for (const at of this.#fields.slice(0, rejectedAt)) this.#hit('mapping', at, 'value');
    this.#hitRequiredClaims(rejectedAt ?? this.#fields.length);
    if (outcome.kind === 'rejected') {
      this.#hitRejection(outcome.code);
      return;
    }
    this.#hit('issuer', `${this.#node.id}.issuer.url`, 'accepted');
    this.#node.audiences.forEach((audience, index) => {
      if (isForAudience(claims, audience))
        this.#hit('audience', `${this.#node.id}.issuer.audiences[${index}]`, 'accepted');
    });
  }

  #addToken(): void {
    const { issuerUrl, audiences } = this.#node;
    this.#add('issuer', 'issuer.url', issuerUrl, ['accepted']);
    audiences.forEach((audience, index) => {
      this.#add('audience', `issuer.audiences[${index}]`, audience, ['accepted']);
    });
  }

  /** Adds the places of the mappings and rules, and returns the mapping with programs that count. */
  #count(mapping: LinkedMapping): LinkedMapping {
    const { username, groups, uid, extra, requiredClaims, claimRules, userRules } = mapping;
    for (const { field, claim, requiredValue } of requiredClaims)
      this.#add('rule', field, `${claim}: ${requiredValue}`, ['true', 'false']);
    return {
      ...mapping,
      username: this.#countMapping(username),
      groups: groups && this.#countMapping(groups),
      uid: uid && this.#countMapping(uid),
      extra: extra.map((one) => {
        this.#add('mapping', one.field, one.text, ['value']);
        return this.#countExpression(one, 'valueExpression');
      }),
      claimRules: claimRules.map((rule) => this.#countRule(rule)),
      userRules: userRules.map((rule) => this.#countRule(rule)),
    };
  }

  #countMapping(mapping: LinkedPrefixedMapping): LinkedPrefixedMapping {
    const text = mapping.kind === 'claim' ? `the claim ${mapping.claim}` : mapping.text;
    this.#add('mapping', mapping.field, text, ['value']);
    return mapping.kind === 'claim' ? mapping : this.#countExpression(mapping, 'expression');
  }

  #countRule<Rule extends LinkedExpression>(rule: Rule): Rule {
    const place = this.#add('rule', rule.field, rule.text, ['true', 'false']);
    return this.#countExpression(rule, 'expression', (value) => {
      if (typeof value === 'boolean') hitOutcome(place, String(value));
    });
  }

  #countExpression<Linked extends LinkedExpression>(
    linked: Linked,
    member: 'expression' | 'valueExpression',
    onValue: (value: CelValue) => void = () => {},
  ): Linked {
    const at = `${this.#node.id}.${linked.field}`;
    const placed = this.#compilation.expressions.get(`${at}.${member}`);
    if (placed === undefined) return linked;
    const counted = countExpression(linked, placed, { at, onValue });
    this.#places.push(...counted.places);
    return counted.linked;
  }

  /** Adds each reason for which the authenticator can reject a token, at the first such field. */
  #addRejections(): void {
    const { username, groups, uid, extra, requiredClaims, claimRules, userRules } = this.#mapping;
    const [verifiesEmail] =
      username.kind === 'claim' && username.claim === 'email' ? [username] : [];
    const reasons: readonly (readonly [
      RejectionDescription,
      { readonly field: string } | undefined,
    ])[] = [
      [audienceMismatch, { field: 'issuer.audiences' }],
      [usernameExpression, username],
      [emailNotVerified, verifiesEmail],
      [groupsExpression, groups],
      [uidExpression, uid],
      [extraExpression, extra[0]],
      [requiredClaimType, requiredClaims[0]],
      [claimRule, claimRules[0]],
      [userRule, userRules[0]],
    ];
    for (const [{ code, name }, part] of reasons) {
      if (part === undefined) continue;
      this.#rejectionNames.set(code, `${code} (${name})`);
      this.#add('rejection', part.field, `${code} (${name})`, ['rejected']);
    }
  }

  #hitRejection(code: string): void {
    const name = this.#rejectionNames.get(code);
    if (name !== undefined) this.#hit('rejection', name, 'rejected');
  }

  /** Counts the required claims before the field that rejects, and that field itself. */
  #hitRequiredClaims(rejectedAt: number): void {
    for (const { field } of this.#mapping.requiredClaims) {
      const at = `${this.#node.id}.${field}`;
      const index = this.#fields.indexOf(at);
      if (index <= rejectedAt) this.#hit('rule', at, String(index < rejectedAt));
    }
  }

  #add(kind: CoverageKind, field: string, text: string, outcomes: readonly string[]): CountedPlace {
    const at = `${this.#node.id}.${field}`;
    const span = originOfField(this.#compilation.origins, at) ?? { start: 0, end: 0 };
    const counted = outcomes.map((name) => ({ name, hits: 0 }));
    const place: CountedPlace = { kind, at, span, text, outcomes: counted };
    this.#places.push(place);
    this.#fieldPlaces.set(kind === 'rejection' ? `${kind} ${text}` : `${kind} ${at}`, place);
    return place;
  }

  #hit(kind: CoverageKind, key: string, outcome: string): void {
    const place = this.#fieldPlaces.get(`${kind} ${key}`);
    if (place !== undefined) hitOutcome(place, outcome);
  }
}

const hitOutcome = ({ outcomes }: CountedPlace, name: string): void => {
  const outcome = outcomes.find((one) => one.name === name);
  if (outcome !== undefined) outcome.hits++;
};

/** Returns the fields in kube-apiserver's order of evaluation. */
const fieldsOf = (mapping: LinkedMapping): readonly string[] => {
  const { username, groups, uid, extra, requiredClaims, claimRules, userRules } = mapping;
  const parts = [username, groups, uid, ...extra, ...requiredClaims, ...claimRules, ...userRules];
  return parts.flatMap((part) => (part === undefined ? [] : [part.field]));
};
