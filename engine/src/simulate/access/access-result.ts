/** The result of comparing who gets access: plain data that commands, requests and reports print. */
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Span } from '../../source/span.ts';

/**
 * Who gains access, who loses it, and whose identity changes.
 *
 * @example
 * ```ts
 * const kinds: readonly AccessChangeKind[] = ['gained', 'lost', 'changed'];
 * ```
 */
export type AccessChangeKind = 'gained' | 'lost' | 'changed';

/** All kinds, in the order in which they are reported. */
export const accessChangeKinds: readonly AccessChangeKind[] = ['gained', 'lost', 'changed'];

/**
 * A field of one of the two configurations that makes a difference or prevents a proof.
 *
 * @example
 * ```ts
 * const fieldOf = ({ side, at }: AccessPlace) => `${at} ${side} the change`;
 * ```
 */
export interface AccessPlace {
  readonly side: 'before' | 'after';
  /** The field: `jwt[0].claimValidationRules[1]`. */
  readonly at: string;
  /** Its position, if the origins of the graph are known. */
  readonly span: Span | undefined;
}

/**
 * A field that makes a difference, with its expression or claim.
 *
 * @example
 * ```ts
 * const explain = ({ at, rule }: AccessCause) => `${at}: ${rule}`;
 * ```
 */
export interface AccessCause extends AccessPlace {
  readonly rule: string;
}

/**
 * A request that is decided differently.
 *
 * @example
 * ```ts
 * const isAnonymous = (witness: AccessWitness) => 'request' in witness;
 * ```
 */
export type AccessWitness =
  | {
      readonly issuer: string;
      readonly audience: string;
      readonly claims: JsonObject;
    }
  /** A request without a credential. */
  | { readonly request: { readonly path: string } };

/**
 * A difference, with a request that shows it.
 *
 * @example
 * ```ts
 * const isNewUser = ({ before }: FoundAccessChange) => before === null;
 * ```
 */
export interface FoundAccessChange {
  readonly kind: AccessChangeKind;
  readonly witness: AccessWitness;
  /** The user before the change; `null` if the request is rejected. */
  readonly before: UserInfo | null;
  readonly after: UserInfo | null;
  readonly cause: readonly AccessCause[];
}

/**
 * Why there is neither an example nor a proof.
 *
 * @example
 * ```ts
 * const explain = ({ place, construct }: UndecidedReason) => `${place?.at ?? ''} ${construct}`;
 * ```
 */
export interface UndecidedReason {
  /** Absent if no single field is the cause. */
  readonly place: AccessPlace | undefined;
  /** The construct or the limit, in plain words. */
  readonly construct: string;
}

/**
 * The answer to one question. `proved` holds for tokens within the limits of size and cost, without
 * distributed claims, and for numbers that a double can represent.
 *
 * @example
 * ```ts
 * const isSafe = (verdict: AccessVerdict) => verdict.kind === 'proved';
 * ```
 */
export type AccessVerdict =
  | { readonly kind: 'found'; readonly changes: readonly FoundAccessChange[] }
  | { readonly kind: 'proved' }
  | {
      readonly kind: 'undecided';
      readonly reasons: readonly UndecidedReason[];
      /** How many evaluations found no example. */
      readonly tried: number;
    };

/**
 * A setting that differs and that the verdicts do not cover.
 *
 * @example
 * ```ts
 * const names = (settings: readonly SettingDifference[]) => settings.map(({ setting }) => setting);
 * ```
 */
export interface SettingDifference {
  /** The setting: `discoveryURL`, `certificateAuthority`, `anonymous`. */
  readonly setting: string;
  /** The issuer whose setting it is. */
  readonly issuer?: string;
  /** The values as strings; `undefined` if the setting is absent. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The verdicts on a change of the configuration.
 *
 * @example
 * ```ts
 * const { verdicts, settings }: AccessComparison = compareAccess(before, after);
 * ```
 */
export interface AccessComparison {
  readonly verdicts: Readonly<Record<AccessChangeKind, AccessVerdict>>;
  /** Trust, keys, anonymous requests and other modules. */
  readonly settings: readonly SettingDifference[];
  /** How often parts of the configurations were evaluated. */
  readonly evaluations: number;
  /**
   * Present if the limit of evaluations left too few to search for tokens that become a member of
   * `system:masters`. One of the examples may be such a token all the same.
   */
  readonly fullControl?: 'undecided';
}
