/**
 * Claims -> user: mappings, claim validation rules and user validation rules in the order of the
 * real server (mappings first), with its words. One pure function for server, previews and suites.
 */
import { nativeText } from '../../cel/native-value.ts';
import { type CelValue, StringList } from '../../cel/value.ts';
import { goKindOfValue, goTypeError } from '../../formats/go-json.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { type JsonObject, type JsonValue, ownMember } from '../../formats/json.ts';
import { differs, type Mode } from '../../model/differences.ts';
import { maxGroupLength, maxGroups, maxTokenCost } from '../../model/limits.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import type { LinkedExpression, LinkedMapping } from './link-mapping.ts';
import type { MappingTrace } from './mapping-trace.ts';

export type MappingOutcome =
  | { readonly kind: 'user'; readonly user: UserInfo }
  /** The log text, and the field of the node that refused. */
  | { readonly kind: 'refused'; readonly message: string; readonly at: string };

export interface MappingOptions {
  readonly mode: Mode;
  /** Key of the extra value that holds the token's id. */
  readonly credentialIdKey: string;
  readonly trace?: MappingTrace;
}

/** Never throws; the same claims give the same answer. */
export const mapClaims = (
  mapping: LinkedMapping,
  claims: ClaimSet,
  options: MappingOptions,
): MappingOutcome => {
  const run = new MappingRun(mapping, claims, options);
  try {
    return { kind: 'user', user: run.user() };
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    const at = `${mapping.id}.${cause.field}`;
    options.trace?.step({ at, what: 'result', outcome: 'failed', detail: cause.message });
    return { kind: 'refused', message: cause.message, at };
  }
};

/** A refusal on its way out; never leaves this file. */
class Refusal {
  readonly message: string;
  readonly field: string;
  constructor(message: string, field: string) {
    this.message = message;
    this.field = field;
  }
}

const textFrames = {
  username: 'oidc: error evaluating username claim expression: ',
  uid: 'oidc: error evaluating uid claim expression: ',
} as const;

const noTexts = 'expression must return a string or a list of strings';

class MappingRun {
  private readonly mapping: LinkedMapping;
  private readonly claims: JsonObject;
  private readonly variable: CelValue | undefined;
  private readonly options: MappingOptions;
  private cost = 0;

  constructor(mapping: LinkedMapping, claims: ClaimSet, options: MappingOptions) {
    this.mapping = mapping;
    this.claims = claims.claims;
    this.variable = mapping.hasExpressions ? mapping.claimsVariable(claims) : undefined;
    this.options = options;
  }

  user(): UserInfo {
    const username = this.username();
    const groups = this.groups();
    const uid = this.uid();
    const extra = this.extra();
    const user: UserInfo = { username, uid, groups, extra };
    this.requiredClaims();
    this.claimRules();
    this.userRules(user);
    return user;
  }

  private username(): string {
    const { username } = this.mapping;
    const field = 'claimMappings.username';
    if (username.kind === 'expression') {
      const name = this.text(username.expression, { field, what: 'username' });
      if (name === '') {
        return refuse('oidc: empty username via CEL expression is not allowed', field);
      }
      this.made(field, name);
      return name;
    }
    const { claim, prefix } = username;
    const value = this.claimText(
      claim,
      field,
      (error) => `oidc: parse username claims ${goQuote(claim)}: ${error}`,
    );
    if (claim === 'email') this.verifiedEmail(field);
    if (value === '' && differs(this.options.mode, 'nameless-user')) {
      refuse(`oidc: username claim ${goQuote(claim)} is empty`, field);
    }
    this.made(field, prefix + value);
    return prefix + value;
  }

  private verifiedEmail(field: string): void {
    const verified = ownMember(this.claims, 'email_verified');
    if (verified === undefined || verified === true) return;
    if (verified !== null && verified !== false) {
      const error = goTypeError(goKindOfValue(verified), 'bool');
      refuse(`oidc: parse 'email_verified' claim: ${error}`, field);
    }
    refuse('oidc: email not verified', field);
  }

  private groups(): readonly string[] {
    const { groups } = this.mapping;
    const field = 'claimMappings.groups';
    if (groups === undefined) return [];
    const names =
      groups.kind === 'expression'
        ? this.texts(groups.expression, field, 'oidc: error evaluating group claim expression: ')
        : this.claimGroups(groups, field);
    if (differs(this.options.mode, 'group-limits')) limitGroups(names, field);
    this.made(field, names);
    return names;
  }

  private claimGroups(
    { claim, prefix }: { readonly claim: string; readonly prefix: string },
    field: string,
  ): readonly string[] {
    const value = ownMember(this.claims, claim);
    if (value === undefined) return [];
    const names = stringOrList(value);
    if (names === undefined) {
      const error = goTypeError(goKindOfValue(value), 'string');
      return refuse(`oidc: parse groups claim ${goQuote(claim)}: ${error}`, field);
    }
    return prefix === '' ? names : names.map((name) => prefix + name);
  }

  private uid(): string {
    const { uid } = this.mapping;
    const field = 'claimMappings.uid';
    if (uid === undefined) return '';
    const text =
      uid.kind === 'expression'
        ? this.text(uid.expression, { field, what: 'uid' })
        : this.claimText(
            uid.claim,
            field,
            (error) => `oidc: parse uid claim ${goQuote(uid.claim)}: ${error}`,
          );
    this.made(field, text);
    return text;
  }

  private extra(): ReadonlyMap<string, readonly string[]> {
    const extra = new Map<string, readonly string[]>();
    const id = ownMember(this.claims, 'jti');
    if (typeof id === 'string' && id !== '') {
      extra.set(this.options.credentialIdKey, [`JTI=${id}`]);
    }
    const { mapping } = this;
    if (mapping.extra.length === 0) return extra;
    // All are evaluated before the first result is looked at.
    const values = mapping.extra.map(({ expression, field }) =>
      this.evaluate(expression, this.variable ?? null, { field, frame: '' }),
    );
    let index = 0;
    for (const { key, expression, field } of mapping.extra) {
      const texts = textList(values[index++] ?? null);
      if (texts === undefined) {
        return refuse(
          `oidc: error evaluating extra claim expression: ${expression.text}: ${noTexts}`,
          field,
        );
      }
      this.made(field, texts);
      if (texts.length > 0) extra.set(key, texts);
    }
    return extra;
  }

  private requiredClaims(): void {
    for (const { claim, requiredValue, field } of this.mapping.requiredClaims) {
      const value = ownMember(this.claims, claim);
      if (value === undefined) {
        refuse(`oidc: required claim ${claim} not present in ID token`, field);
      }
      const text = this.claimText(claim, field, (error) => `oidc: parse claim ${claim}: ${error}`);
      if (text !== requiredValue) {
        refuse(
          `oidc: required claim ${claim} value does not match. Got = ${text}, want = ${requiredValue}`,
          field,
        );
      }
      this.options.trace?.step({
        at: `${this.mapping.id}.${field}`,
        what: 'required claim',
        outcome: 'passed',
        value: text,
      });
    }
  }

  private claimRules(): void {
    this.rules(this.mapping.claimRules, {
      variable: this.variable ?? null,
      frame: 'oidc: error evaluating claim validation expression: ',
      what: 'claim validation rule',
    });
  }

  private userRules(user: UserInfo): void {
    if (this.mapping.userRules.length === 0) return;
    this.rules(this.mapping.userRules, {
      variable: this.mapping.userVariable(user),
      frame: 'oidc: error evaluating user info validation rule: ',
      what: 'user validation rule',
    });
  }

  /** All are evaluated first: an error of a later rule wins over an earlier one that is false. */
  private rules(
    rules: LinkedMapping['claimRules'],
    kind: { readonly variable: CelValue; readonly frame: string; readonly what: string },
  ): void {
    const results = rules.map((rule) =>
      this.evaluate(rule.expression, kind.variable, { field: rule.field, frame: kind.frame }),
    );
    let index = 0;
    for (const { expression, message, field } of rules) {
      const result = results[index++];
      const outcome = result === true ? 'passed' : 'failed';
      this.options.trace?.step({ at: `${this.mapping.id}.${field}`, what: kind.what, outcome });
      if (typeof result !== 'boolean') {
        refuse(`${kind.frame}validation expression must return a boolean`, field);
      }
      if (result !== true) {
        refuse(`${kind.frame}validation expression '${expression.text}' failed: ${message}`, field);
      }
    }
  }

  /** A claim as text; null is the empty text. */
  private claimText(claim: string, field: string, frame: (error: string) => string): string {
    const value = ownMember(this.claims, claim);
    if (value === undefined) return refuse(frame('claim not present'), field);
    if (value === null) return '';
    return typeof value === 'string'
      ? value
      : refuse(frame(goTypeError(goKindOfValue(value), 'string')), field);
  }

  private text(
    expression: LinkedExpression,
    { field, what }: { readonly field: string; readonly what: 'username' | 'uid' },
  ): string {
    const frame = textFrames[what];
    const value = this.evaluate(expression, this.variable ?? null, { field, frame });
    return typeof value === 'string'
      ? value
      : refuse(`${frame}${what} claim expression must return a string`, field);
  }

  private texts(expression: LinkedExpression, field: string, frame: string): readonly string[] {
    const value = this.evaluate(expression, this.variable ?? null, { field, frame });
    return textList(value) ?? refuse(frame + noTexts, field);
  }

  private evaluate(
    expression: LinkedExpression,
    variable: CelValue,
    place: { readonly field: string; readonly frame: string },
  ): CelValue {
    const { trace, mode } = this.options;
    const { field, frame } = place;
    const evaluation =
      trace === undefined
        ? expression.program.evaluate(variable)
        : trace.evaluate(expression, { at: `${this.mapping.id}.${field}`, variable });
    this.cost += evaluation.cost;
    if (evaluation.value === undefined) {
      refuse(
        `${frame}expression '${expression.text}' resulted in error: ${evaluation.error}`,
        field,
      );
    }
    if (this.cost > maxTokenCost && differs(mode, 'token-cost')) {
      refuse('oidc: refused: the expressions of this token cost too much together', field);
    }
    return evaluation.value ?? null;
  }

  private made(field: string, value: unknown): void {
    if (this.options.trace === undefined) return;
    this.options.trace.step({
      at: `${this.mapping.id}.${field}`,
      what: 'mapping',
      outcome: 'value',
      value,
    });
  }
}

const refuse = (message: string, field: string): never => {
  throw new Refusal(message, field);
};

const limitGroups = (names: readonly string[], field: string): void => {
  if (names.length > maxGroups) refuse(`oidc: refused: more than ${maxGroups} groups`, field);
  if (names.some((name) => name.length > maxGroupLength)) {
    refuse(`oidc: refused: a group of more than ${maxGroupLength} characters`, field);
  }
};

/** Text is one group, null is none; a null item is the empty text. */
const stringOrList = (value: JsonValue): readonly string[] | undefined => {
  if (typeof value === 'string') return [value];
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const names: string[] = [];
  for (const item of value) {
    if (item !== null && typeof item !== 'string') return undefined;
    names.push(item ?? '');
  }
  return names;
};

/**
 * The texts of a value for groups and extra: one text, or the texts of a list; empty ones are left
 * out, null is none. `undefined` for anything else, and for a list that is native to the real server.
 */
export const textList = (value: CelValue): readonly string[] | undefined => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (value === null) return [];
  if (!Array.isArray(value) || value instanceof StringList) return undefined;
  const texts: string[] = [];
  for (const item of value) {
    const text = nativeText(item);
    if (text === undefined) return undefined;
    if (text !== '') texts.push(text);
  }
  return texts;
};
