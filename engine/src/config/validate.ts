/**
 * Typed configuration -> what the real server's validation says to it, in its order: entry by entry,
 * and inside an entry issuer, claim rules, mappings, user rules.
 */

import type { ExpressionCompilation } from '../cel/compile-expression.ts';
import type { CelNode } from '../cel/tree/ast.ts';
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
  LocatedText,
  PrefixedMappingConfig,
  UserValidationRuleConfig,
} from './configuration.ts';
import { wordedFor } from './release-wording.ts';
import * as audienceRules from './rules/audiences.ts';
import * as listRules from './rules/authenticators.ts';
import * as claimRules from './rules/claim-rules.ts';
import * as connectionRules from './rules/connection.ts';
import { emailVerified } from './rules/email-verified.ts';
import { expressionDiagnostics } from './rules/expressions.ts';
import * as extraRules from './rules/extra.ts';
import * as mappingRules from './rules/mappings.ts';
import type { RulePlace, ServerRule } from './rules/server-rule.ts';
import * as urlRules from './rules/urls.ts';

export interface ValidationContext {
  readonly place: RulePlace;
  readonly release: Release;
  readonly featureGates: FeatureGates;
  /** Issuers that no entry may name. */
  readonly disallowedIssuers: readonly string[];
  /** Domains that no extra key may have, beside the real server's. */
  readonly reservedDomains: readonly string[];
  readonly expressionAt: (
    path: string,
  ) => { readonly compilation: ExpressionCompilation; readonly map: PositionMap } | undefined;
  /** Paths whose value is there but could not be read: nothing is said about them. */
  readonly unread: ReadonlySet<string>;
  /** Rules are silent after so many findings. */
  readonly mostFindings: number;
  /** What is known of an entry by itself, which is then not asked again. */
  readonly entryFindings?: ((index: number) => readonly Diagnostic[]) | undefined;
}

export interface Validation {
  /** The real server's errors in the real order. */
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

/** What the rules say of one entry by itself, which stands at a path. */
export const validateEntry = (
  entry: JwtAuthenticatorConfig,
  path: string,
  context: ValidationContext,
): readonly Diagnostic[] => new Validator(context).one(entry, path);

/**
 * Asks of an error whether it is about a field, or a part of one, whose value could not be read, or
 * about a section that seems incomplete only for want of such a value.
 */
const unreadTest = (unread: ReadonlySet<string>): ((error: ServerError) => boolean) => {
  const around = new Set([...unread].flatMap(outerPaths));
  return ({ field, type }) =>
    outerPaths(field).some((path) => unread.has(path)) ||
    (type === 'FieldValueRequired' && around.has(field));
};

/** `a.b[0].c` -> `a`, `a.b`, `a.b[0]` and itself. */
const outerPaths = (path: string): readonly string[] => [
  ...Array.from(path.matchAll(/[.[]/g), ({ index }) => path.slice(0, index)),
  path,
];

class Validator {
  readonly #context: ValidationContext;
  readonly #found: Diagnostic[] = [];

  constructor(context: ValidationContext) {
    this.#context = context;
  }

  validate(configuration: AuthenticationConfiguration): readonly Diagnostic[] {
    const { place } = this.#context;
    const { jwt, anonymous } = configuration;
    this.#run(listRules.tooManyAuthenticators, { place, configuration });
    if (jwt.length > listRules.mostAuthenticators) return this.#found;
    const issuers = new Map<string, LocatedText | undefined>();
    const discoveries = new Map<string, LocatedText | undefined>();
    jwt.forEach((entry, index) => {
      const known = this.#context.entryFindings?.(index);
      if (known === undefined) this.#entry(entry, `jwt[${index}]`);
      else this.#take(known);
      const field = `jwt[${index}].issuer`;
      const { url, discoveryUrl } = entry.issuer;
      const repeated = { place, entry, before: jwt.slice(0, index) };
      const { duplicateIssuerUrl, duplicateDiscoveryUrl } = listRules;
      this.#run(duplicateIssuerUrl, { ...repeated, field: `${field}.url`, ...seen(issuers, url) });
      if (!isSet(discoveryUrl)) return;
      const again = { ...repeated, field: `${field}.discoveryURL` };
      this.#run(duplicateDiscoveryUrl, { ...again, ...seen(discoveries, discoveryUrl) });
    });
    if (anonymous !== undefined) this.#anonymous(anonymous);
    return this.#found;
  }

  #anonymous(section: AnonymousConfig): void {
    const { place, featureGates } = this.#context;
    const enabled = featureGates.get(anonymousEndpointsGate) ?? false;
    this.#run(listRules.anonymousGate, { place, section, enabled });
    this.#run(listRules.anonymousConditions, { place, section });
  }

  one(entry: JwtAuthenticatorConfig, path: string): readonly Diagnostic[] {
    this.#entry(entry, path);
    return this.#found;
  }

  #take(found: readonly Diagnostic[]): void {
    const room = Math.max(0, this.#context.mostFindings - this.#found.length);
    this.#found.push(...(found.length > room ? found.slice(0, room) : found));
  }

  /** True when the rule had nothing to say. */
  #run<Subject>(rule: ServerRule<Subject>, subject: Subject): boolean {
    if (this.#found.length >= this.#context.mostFindings) return true;
    const found = runRule(rule, subject);
    this.#found.push(...found.map((finding) => wordedFor(finding, this.#context.release)));
    return found.length === 0;
  }

  #entry(entry: JwtAuthenticatorConfig, path: string): void {
    this.#issuer(entry.issuer, `${path}.issuer`);
    const witnesses = this.#claimRules(entry.claimValidationRules, `${path}.claimValidationRules`);
    this.#mappings(entry, `${path}.claimMappings`, witnesses);
    this.#userRules(entry.userValidationRules, `${path}.userValidationRules`);
  }

  #issuer(issuer: IssuerConfig, path: string): void {
    const { place, disallowedIssuers, featureGates } = this.#context;
    const subject = { place, path, issuer };
    const { url, discoveryUrl } = issuer;
    if (this.#run(urlRules.missingIssuerUrl, subject) && url !== undefined)
      this.#url(`${path}.url`, url, disallowedIssuers);
    if (isSet(discoveryUrl)) {
      this.#run(urlRules.sameDiscoveryUrl, subject);
      this.#url(`${path}.discoveryURL`, discoveryUrl, []);
    }
    if (this.#run(audienceRules.missingAudiences, subject)) this.#audiences(subject);
    this.#run(connectionRules.certificateAuthority, subject);
    const enabled = featureGates.get(egressSelectorGate) ?? false;
    this.#run(connectionRules.egressSelectorGate, { ...subject, enabled });
    this.#run(connectionRules.egressSelectorType, subject);
  }

  #url(field: string, url: LocatedText, disallowed: readonly string[]): void {
    const subject = urlRules.urlSubject(this.#context.place, field, { url, disallowed });
    for (const rule of urlRules.urlRules) this.#run(rule, subject);
  }

  #audiences(subject: urlRules.IssuerSubject): void {
    const firsts = new Map<string, LocatedText>();
    subject.issuer.audiences.forEach((audience, index) => {
      const field = `${subject.path}.audiences[${index}]`;
      const item = {
        place: subject.place,
        field,
        audience,
        first: firsts.get(audience.value),
        previous: subject.issuer.audiences[index - 1],
      };
      this.#run(audienceRules.emptyAudience, item);
      this.#run(audienceRules.duplicateAudience, item);
      if (item.first === undefined) firsts.set(audience.value, audience);
    });
    this.#run(audienceRules.audienceMatchPolicy, subject);
  }

  /** Gives the trees of the expressions that compile. */
  #claimRules(rules: readonly ClaimValidationRuleConfig[], path: string): readonly CelNode[] {
    const claims = new Map<string, LocatedText>();
    const expressions = new Map<string, LocatedText>();
    return rules.flatMap((rule, index) => {
      const at = `${path}[${index}]`;
      const { place } = this.#context;
      const subject = { place, path: at, rule };
      const { claim, expression } = rule;
      this.#run(claimRules.claimAndExpressionRule, subject);
      this.#run(claimRules.emptyClaimRule, subject);
      this.#run(claimRules.messageWithClaim, subject);
      this.#run(claimRules.requiredValueWithExpression, subject);
      if (isSet(claim) && !isSet(expression))
        this.#repeated(claimRules.duplicateClaimRule, claims, {
          field: `${at}.claim`,
          text: claim,
          ...{ place, rules, index },
        });
      if (isSet(claim) || !isSet(expression)) return [];
      const field = `${at}.expression`;
      return this.#ruleExpression(expressions, { field, text: expression, place, rules, index });
    });
  }

  #ruleExpression(
    firsts: Map<string, LocatedText>,
    subject: Omit<claimRules.RepeatedTextSubject, 'first'>,
  ): readonly CelNode[] {
    return this.#repeated(claimRules.duplicateExpression, firsts, subject)
      ? this.#expression(subject.field, subject.text)
      : [];
  }

  /** True for a text that is new. */
  #repeated(
    rule: ServerRule<claimRules.RepeatedTextSubject>,
    firsts: Map<string, LocatedText>,
    subject: Omit<claimRules.RepeatedTextSubject, 'first'>,
  ): boolean {
    const first = firsts.get(subject.text.value);
    if (first !== undefined) return this.#run(rule, { ...subject, first });
    firsts.set(subject.text.value, subject.text);
    return true;
  }

  /** The tree of an expression that compiles, in a list of its own; otherwise none. */
  #expression(field: string, text: LocatedText): readonly CelNode[] {
    const placed = this.#context.expressionAt(field);
    const { place, release, mostFindings } = this.#context;
    if (placed === undefined || this.#found.length >= mostFindings) return [];
    const found = expressionDiagnostics({ place, field, text, release, ...placed });
    this.#found.push(...found);
    return found.length === 0 ? [placed.compilation.checked.tree] : [];
  }

  #mappings(entry: JwtAuthenticatorConfig, path: string, claimRuleTrees: readonly CelNode[]): void {
    const { place } = this.#context;
    const { username, groups, uid, extra } = entry.claimMappings;
    const usernameTrees = this.#username(username, `${path}.username`);
    if (groups !== undefined) this.#prefixed(groups, `${path}.groups`);
    if (uid !== undefined) {
      const uidPath = `${path}.uid`;
      const single = this.#run(mappingRules.claimAndExpressionMapping, {
        place,
        path: uidPath,
        ...uid,
      });
      if (single && isSet(uid.expression))
        this.#expression(`${uidPath}.expression`, uid.expression);
    }
    const extraTrees = this.#extra(extra, `${path}.extra`);
    const [tree] = usernameTrees;
    if (tree === undefined || username.expression === undefined) return;
    this.#run(emailVerified, {
      place,
      entry,
      field: `${path}.username.expression`,
      username: username.expression,
      tree,
      witnesses: [tree, ...claimRuleTrees, ...extraTrees],
    });
  }

  #username(mapping: PrefixedMappingConfig, path: string): readonly CelNode[] {
    const { place } = this.#context;
    this.#run(mappingRules.missingUsername, { place, path, ...mapping });
    return this.#prefixed(mapping, path);
  }

  /** The tree of the expression when nothing at all is wrong with the mapping. */
  #prefixed(mapping: PrefixedMappingConfig, path: string): readonly CelNode[] {
    const subject = { place: this.#context.place, path, ...mapping };
    const { claim, expression } = mapping;
    const single = this.#run(mappingRules.claimAndExpressionMapping, subject);
    const unprefixed = this.#run(mappingRules.prefixWithExpression, subject);
    const trees =
      single && isSet(expression) && !isSet(claim)
        ? this.#expression(`${path}.expression`, expression)
        : [];
    this.#run(mappingRules.missingPrefix, subject);
    return unprefixed ? trees : [];
  }

  #extra(extra: ClaimMappingsConfig['extra'], path: string): readonly CelNode[] {
    const keys = new Map<string, LocatedText | undefined>();
    return extra.flatMap((item, index) => {
      const { place, release, reservedDomains: ownDomains } = this.#context;
      const subject = { place, path: `${path}[${index}]`, release, ownDomains, ...item };
      this.#run(extraRules.extraKey, subject);
      this.#run(extraRules.extraKeyCase, subject);
      this.#run(extraRules.reservedExtraKey, subject);
      const fresh = this.#run(extraRules.duplicateExtraKey, {
        ...subject,
        extra,
        index,
        ...seen(keys, item.key),
      });
      if (!fresh || !this.#run(extraRules.missingValueExpression, subject)) return [];
      const { valueExpression } = item;
      if (valueExpression === undefined) return [];
      return this.#expression(`${subject.path}.valueExpression`, valueExpression);
    });
  }

  #userRules(rules: readonly UserValidationRuleConfig[], path: string): void {
    const expressions = new Map<string, LocatedText>();
    rules.forEach((rule, index) => {
      const subject = { place: this.#context.place, path: `${path}[${index}]`, rule };
      if (!this.#run(claimRules.emptyUserRule, subject) || rule.expression === undefined) return;
      this.#ruleExpression(expressions, {
        field: `${subject.path}.expression`,
        text: rule.expression,
        place: subject.place,
        rules,
        index,
      });
    });
  }
}

const isSet = (text: LocatedText | undefined): text is LocatedText =>
  text !== undefined && text.value !== '';

/** Notes a text; an absent one counts as empty, and so may be a repetition too. */
const seen = (
  texts: Map<string, LocatedText | undefined>,
  text: LocatedText | undefined,
): {
  readonly url: LocatedText | undefined;
  readonly first: LocatedText | undefined;
  readonly seen: boolean;
} => {
  const value = text?.value ?? '';
  const known = texts.has(value);
  const first = texts.get(value);
  if (!known) texts.set(value, text);
  return { url: text, first, seen: known };
};
