/**
 * Validates the typed configuration like kube-apiserver, in its order: entry by entry, and in each
 * entry issuer, claim rules, mappings, user rules.
 */

import type { ExpressionCompilation } from '../cel/compile-expression.ts';
import type { Diagnostic, ServerError } from '../diagnostics/diagnostic.ts';
import { runRule } from '../diagnostics/rule.ts';
import {
  anonymousEndpointsGate,
  egressSelectorGate,
  type FeatureGates,
} from '../model/feature-gates.ts';
import type { Release } from '../model/release.ts';
import type { PositionMap } from '../source/position-map.ts';
import type {
  AnonymousConfig,
  AuthenticationConfiguration,
  ClaimMappingsConfig,
  ClaimValidationRuleConfig,
  IssuerConfig,
  JwtAuthenticatorConfig,
  LocatedString,
  PrefixedMappingConfig,
  UserValidationRuleConfig,
} from './configuration.ts';
import { withReleaseWording } from './release-wording.ts';
import * as audienceRules from './rules/audiences.ts';
import * as listRules from './rules/authenticators.ts';
import * as claimRules from './rules/claim-rules.ts';
import * as connectionRules from './rules/connection.ts';
import { emailVerified, type ValidExpression } from './rules/email-verified.ts';
import { expressionDiagnostics } from './rules/expressions.ts';
import * as extraRules from './rules/extra.ts';
import * as mappingRules from './rules/mappings.ts';
import { isSet, type RulePlace, type ServerRule } from './rules/server-rule.ts';
import * as urlRules from './rules/urls.ts';

export interface ValidationContext {
  readonly place: RulePlace;
  readonly release: Release;
  readonly featureGates: FeatureGates;
  /** Issuers that no entry may use. */
  readonly disallowedIssuers: readonly string[];
  /** Domains that no extra key may have, in addition to those of kube-apiserver. */
  readonly reservedDomains: readonly string[];
  readonly expressionAt: (
    path: string,
  ) => { readonly compilation: ExpressionCompilation; readonly map: PositionMap } | undefined;
  /** Paths whose value exists but could not be read; nothing is reported about them. */
  readonly unread: ReadonlySet<string>;
  /** Rules report nothing after this many findings. */
  readonly maxFindings: number;
  /** Returns the known findings of an entry, which is then not validated again. */
  readonly entryFindings?: ((index: number) => readonly Diagnostic[]) | undefined;
}

export interface Validation {
  /** kube-apiserver's errors, in its order. */
  readonly errors: readonly ServerError[];
  readonly diagnostics: readonly Diagnostic[];
}

export const validateConfiguration = (
  configuration: AuthenticationConfiguration | undefined,
  context: ValidationContext,
): Validation => {
  if (configuration === undefined) return { errors: [], diagnostics: [] };
  const found = new Validator(context).validate(configuration);
  const isUnread = unreadTest(context.unread);
  return {
    errors: found.flatMap(({ server }) => (server === undefined ? [] : [server])),
    diagnostics: found.filter(({ server }) => server === undefined || !isUnread(server)),
  };
};

/** Runs the rules that look at a single entry. */
export const validateEntry = (
  entry: JwtAuthenticatorConfig,
  path: string,
  context: ValidationContext,
): readonly Diagnostic[] => new Validator(context).validateEntry(entry, path);

/**
 * Returns a predicate for errors about a field, or a part of one, whose value could not be read,
 * and for errors about a section that only seems incomplete because of such a value.
 */
const unreadTest = (unread: ReadonlySet<string>): ((error: ServerError) => boolean) => {
  const enclosing = new Set([...unread].flatMap(outerPaths));
  return ({ field, type }) =>
    outerPaths(field).some((path) => unread.has(path)) ||
    (type === 'FieldValueRequired' && enclosing.has(field));
};

/** Splits `a.b[0].c` into `a`, `a.b`, `a.b[0]` and itself. */
const outerPaths = (path: string): readonly string[] => [
  ...Array.from(path.matchAll(/[.[]/g), ({ index }) => path.slice(0, index)),
  path,
];

class Validator {
  readonly #context: ValidationContext;
  readonly #diagnostics: Diagnostic[] = [];

  constructor(context: ValidationContext) {
    this.#context = context;
  }

  validate(configuration: AuthenticationConfiguration): readonly Diagnostic[] {
    const { place } = this.#context;
    const { jwt, anonymous } = configuration;
    this.#runRule(listRules.tooManyAuthenticators, { place, configuration });
    if (jwt.length > listRules.maxAuthenticators) return this.#diagnostics;
    const issuers = new Map<string, LocatedString | undefined>();
    const discoveries = new Map<string, LocatedString | undefined>();
    jwt.forEach((entry, index) => {
      const known = this.#context.entryFindings?.(index);
      if (known === undefined) this.#validateEntry(entry, `jwt[${index}]`);
      else this.#addFindings(known);
      const field = `jwt[${index}].issuer`;
      const { url, discoveryUrl } = entry.issuer;
      const repeated = { place, entry, before: jwt.slice(0, index) };
      const { duplicateIssuerUrl, duplicateDiscoveryUrl } = listRules;
      this.#runRule(duplicateIssuerUrl, {
        ...repeated,
        field: `${field}.url`,
        ...noteOccurrence(issuers, url),
      });
      if (!isSet(discoveryUrl)) return;
      const again = { ...repeated, field: `${field}.discoveryURL` };
      this.#runRule(duplicateDiscoveryUrl, {
        ...again,
        ...noteOccurrence(discoveries, discoveryUrl),
      });
    });
    if (anonymous !== undefined) this.#validateAnonymous(anonymous);
    return this.#diagnostics;
  }

  #validateAnonymous(section: AnonymousConfig): void {
    const { place, featureGates } = this.#context;
    const enabled = featureGates.get(anonymousEndpointsGate) ?? false;
    this.#runRule(listRules.anonymousGate, { place, section, enabled });
    this.#runRule(listRules.anonymousConditions, { place, section });
  }

  validateEntry(entry: JwtAuthenticatorConfig, path: string): readonly Diagnostic[] {
    this.#validateEntry(entry, path);
    return this.#diagnostics;
  }

  #addFindings(found: readonly Diagnostic[]): void {
    const remaining = Math.max(0, this.#context.maxFindings - this.#diagnostics.length);
    this.#diagnostics.push(...(found.length > remaining ? found.slice(0, remaining) : found));
  }

  /** Returns true if the rule reported nothing. */
  #runRule<Subject>(rule: ServerRule<Subject>, subject: Subject): boolean {
    if (this.#diagnostics.length >= this.#context.maxFindings) return true;
    const found = runRule(rule, subject);
    this.#diagnostics.push(
      ...found.map((finding) => withReleaseWording(finding, this.#context.release)),
    );
    return found.length === 0;
  }

  #validateEntry(entry: JwtAuthenticatorConfig, path: string): void {
    this.#validateIssuer(entry.issuer, `${path}.issuer`);
    const witnesses = this.#validateClaimRules(
      entry.claimValidationRules,
      `${path}.claimValidationRules`,
    );
    this.#validateMappings(entry, `${path}.claimMappings`, witnesses);
    this.#validateUserRules(entry.userValidationRules, `${path}.userValidationRules`);
  }

  #validateIssuer(issuer: IssuerConfig, path: string): void {
    const { place, disallowedIssuers, featureGates } = this.#context;
    const subject = { place, path, issuer };
    const { url, discoveryUrl } = issuer;
    if (this.#runRule(urlRules.missingIssuerUrl, subject) && url !== undefined)
      this.#validateUrl(`${path}.url`, url, disallowedIssuers);
    if (isSet(discoveryUrl)) {
      this.#runRule(urlRules.sameDiscoveryUrl, subject);
      this.#validateUrl(`${path}.discoveryURL`, discoveryUrl, []);
    }
    if (this.#runRule(audienceRules.missingAudiences, subject)) this.#validateAudiences(subject);
    this.#runRule(connectionRules.certificateAuthority, subject);
    const enabled = featureGates.get(egressSelectorGate) ?? false;
    this.#runRule(connectionRules.egressSelectorGate, { ...subject, enabled });
    this.#runRule(connectionRules.egressSelectorType, subject);
  }

  #validateUrl(field: string, url: LocatedString, disallowed: readonly string[]): void {
    const subject = urlRules.urlSubject(this.#context.place, field, { url, disallowed });
    for (const rule of urlRules.urlRules) this.#runRule(rule, subject);
  }

  #validateAudiences(subject: urlRules.IssuerSubject): void {
    const firsts = new Map<string, LocatedString>();
    subject.issuer.audiences.forEach((audience, index) => {
      const field = `${subject.path}.audiences[${index}]`;
      const item = {
        place: subject.place,
        field,
        audience,
        first: firsts.get(audience.value),
        previous: subject.issuer.audiences[index - 1],
      };
      this.#runRule(audienceRules.emptyAudience, item);
      this.#runRule(audienceRules.duplicateAudience, item);
      if (item.first === undefined) firsts.set(audience.value, audience);
    });
    this.#runRule(audienceRules.audienceMatchPolicy, subject);
  }

  /** Returns the expressions that compile. */
  #validateClaimRules(
    rules: readonly ClaimValidationRuleConfig[],
    path: string,
  ): readonly ValidExpression[] {
    const claims = new Map<string, LocatedString>();
    const expressions = new Map<string, LocatedString>();
    return rules.flatMap((rule, index) => {
      const at = `${path}[${index}]`;
      const { place } = this.#context;
      const subject = { place, path: at, rule };
      const { claim, expression } = rule;
      this.#runRule(claimRules.claimAndExpressionRule, subject);
      this.#runRule(claimRules.emptyClaimRule, subject);
      this.#runRule(claimRules.messageWithClaim, subject);
      this.#runRule(claimRules.requiredValueWithExpression, subject);
      if (isSet(claim) && !isSet(expression))
        this.#checkRepeated(claimRules.duplicateClaimRule, claims, {
          field: `${at}.claim`,
          text: claim,
          ...{ place, rules, index },
        });
      if (isSet(claim) || !isSet(expression)) return [];
      const field = `${at}.expression`;
      return this.#validateRuleExpression(expressions, {
        field,
        text: expression,
        place,
        rules,
        index,
      });
    });
  }

  #validateRuleExpression(
    firsts: Map<string, LocatedString>,
    subject: Omit<claimRules.RepeatedStringSubject, 'first'>,
  ): readonly ValidExpression[] {
    return this.#checkRepeated(claimRules.duplicateExpression, firsts, subject)
      ? this.#validateExpression(subject.field, subject.text)
      : [];
  }

  /** Returns true if the string is new. */
  #checkRepeated(
    rule: ServerRule<claimRules.RepeatedStringSubject>,
    firsts: Map<string, LocatedString>,
    subject: Omit<claimRules.RepeatedStringSubject, 'first'>,
  ): boolean {
    const first = firsts.get(subject.text.value);
    if (first !== undefined) return this.#runRule(rule, { ...subject, first });
    firsts.set(subject.text.value, subject.text);
    return true;
  }

  /** Returns an expression that compiles, in a list; otherwise an empty list. */
  #validateExpression(field: string, text: LocatedString): readonly ValidExpression[] {
    const placed = this.#context.expressionAt(field);
    const { place, release, maxFindings } = this.#context;
    if (placed === undefined || this.#diagnostics.length >= maxFindings) return [];
    const found = expressionDiagnostics({ place, field, text, release, ...placed });
    this.#diagnostics.push(...found);
    return found.length === 0 ? [{ text, tree: placed.compilation.checked.tree }] : [];
  }

  #validateMappings(
    entry: JwtAuthenticatorConfig,
    path: string,
    claimRuleExpressions: readonly ValidExpression[],
  ): void {
    const { place } = this.#context;
    const { username, groups, uid, extra } = entry.claimMappings;
    const usernameExpressions = this.#validateUsername(username, `${path}.username`);
    if (groups !== undefined) this.#validatePrefixed(groups, `${path}.groups`);
    if (uid !== undefined) {
      const uidPath = `${path}.uid`;
      const single = this.#runRule(mappingRules.claimAndExpressionMapping, {
        place,
        path: uidPath,
        ...uid,
      });
      if (single && isSet(uid.expression))
        this.#validateExpression(`${uidPath}.expression`, uid.expression);
    }
    const extraExpressions = this.#validateExtra(extra, `${path}.extra`);
    const [expression] = usernameExpressions;
    if (expression === undefined) return;
    this.#runRule(emailVerified, {
      place,
      entry,
      field: `${path}.username.expression`,
      username: expression,
      considered: [expression, ...claimRuleExpressions, ...extraExpressions],
    });
  }

  #validateUsername(mapping: PrefixedMappingConfig, path: string): readonly ValidExpression[] {
    const { place } = this.#context;
    this.#runRule(mappingRules.missingUsername, { place, path, ...mapping });
    return this.#validatePrefixed(mapping, path);
  }

  /** Returns the expression if the mapping has no errors. */
  #validatePrefixed(mapping: PrefixedMappingConfig, path: string): readonly ValidExpression[] {
    const subject = { place: this.#context.place, path, ...mapping };
    const { claim, expression } = mapping;
    const single = this.#runRule(mappingRules.claimAndExpressionMapping, subject);
    const unprefixed = this.#runRule(mappingRules.prefixWithExpression, subject);
    const valid =
      single && isSet(expression) && !isSet(claim)
        ? this.#validateExpression(`${path}.expression`, expression)
        : [];
    this.#runRule(mappingRules.missingPrefix, subject);
    return unprefixed ? valid : [];
  }

  #validateExtra(extra: ClaimMappingsConfig['extra'], path: string): readonly ValidExpression[] {
    const keys = new Map<string, LocatedString | undefined>();
    return extra.flatMap((item, index) => {
      const { place, release, reservedDomains } = this.#context;
      const subject = { place, path: `${path}[${index}]`, release, reservedDomains, ...item };
      this.#runRule(extraRules.extraKey, subject);
      this.#runRule(extraRules.extraKeyCase, subject);
      this.#runRule(extraRules.reservedExtraKey, subject);
      const isNew = this.#runRule(extraRules.duplicateExtraKey, {
        ...subject,
        extra,
        index,
        ...noteOccurrence(keys, item.key),
      });
      if (!isNew || !this.#runRule(extraRules.missingValueExpression, subject)) return [];
      const { valueExpression } = item;
      if (valueExpression === undefined) return [];
      return this.#validateExpression(`${subject.path}.valueExpression`, valueExpression);
    });
  }

  #validateUserRules(rules: readonly UserValidationRuleConfig[], path: string): void {
    const expressions = new Map<string, LocatedString>();
    rules.forEach((rule, index) => {
      const subject = { place: this.#context.place, path: `${path}[${index}]`, rule };
      if (!this.#runRule(claimRules.emptyUserRule, subject) || rule.expression === undefined)
        return;
      this.#validateRuleExpression(expressions, {
        field: `${subject.path}.expression`,
        text: rule.expression,
        place: subject.place,
        rules,
        index,
      });
    });
  }
}

/** Records a string; an absent one counts as empty and can therefore be a duplicate, too. */
const noteOccurrence = (
  texts: Map<string, LocatedString | undefined>,
  text: LocatedString | undefined,
): {
  readonly url: LocatedString | undefined;
  readonly first: LocatedString | undefined;
  readonly seen: boolean;
} => {
  const value = text?.value ?? '';
  const known = texts.has(value);
  const first = texts.get(value);
  if (!known) texts.set(value, text);
  return { url: text, first, seen: known };
};
