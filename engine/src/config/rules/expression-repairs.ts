/**
 * Guesses what a broken expression was meant to be: syntax of other languages (`=`, `and`,
 * `toLowerCase`), claims whose names are not identifiers, and claims without `claims.`. A repair is
 * offered only if the whole expression then compiles.
 */

import { compileExpression, type ExpressionCompilation } from '../../cel/compile-expression.ts';
import type { CelNode } from '../../cel/tree/ast.ts';
import { knownClaims } from '../../model/known-claims.ts';
import type { Release } from '../../model/release.ts';
import { span } from '../../source/span.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';

export interface Repair {
  readonly title: string;
  /** Edits of the expression's own text. */
  readonly edits: readonly TextEdit[];
  /** True if the repair is a guess. */
  readonly choice?: true;
  /** True if the repair is offered although other errors remain. */
  readonly isPartial?: true;
  /**
   * True if the repaired expression may differ from what was meant, and the result of a rule
   * depends on it.
   */
  readonly changesAccess?: true;
}

export interface BrokenExpression {
  readonly text: string;
  readonly compilation: ExpressionCompilation;
  readonly environment: 'claims' | 'user';
  readonly result: 'bool' | 'any';
  readonly release: Release;
  /** The quote that needs no escape in the expression's scalar. */
  readonly quote: '"' | "'";
}

/** Returns the first repair after which the expression compiles. */
export const repairOf = (broken: BrokenExpression): Repair | undefined => {
  if (broken.text.length > maxRepairedLength) return undefined;
  const cached = repairCache.get(broken.compilation);
  if (cached !== undefined) return cached.repair;
  const repair = candidates(broken).find(
    ({ edits, isPartial }) =>
      edits.length > 0 &&
      (isPartial === true
        ? reducesErrors(broken, edits)
        : compiles(broken, applyEdits(broken.text, edits))),
  );
  repairCache.set(broken.compilation, { repair });
  return repair;
};

/** Returns true if a proposed change leaves fewer errors. */
export const reducesErrors = (broken: BrokenExpression, edits: readonly TextEdit[]): boolean => {
  const { compilation, environment, result, release } = broken;
  if (broken.text.length > maxRepairedLength) return false;
  const [edit] = edits;
  const cached = reductionCache.get(compilation) ?? new Map<string, boolean>();
  reductionCache.set(compilation, cached);
  const key = `${edit?.span.start} ${edit?.newText}`;
  const text = applyEdits(broken.text, edits);
  const reduces =
    cached.get(key) ??
    compileExpression({ text, environment, result, release }).errors.length <
      compilation.errors.length;
  cached.set(key, reduces);
  return reduces;
};

const reductionCache = new WeakMap<ExpressionCompilation, Map<string, boolean>>();

/** Longer expressions are not repaired. */
const maxRepairedLength = 2000;

/** Repairs are requested again after every edit of the file. */
const repairCache = new WeakMap<ExpressionCompilation, { readonly repair: Repair | undefined }>();

/** A mapping must not become a bool, which is no name. */
const compiles = ({ environment, result, release }: BrokenExpression, text: string): boolean => {
  const { checked, serverError } = compileExpression({ text, environment, result, release });
  return serverError === undefined && (result === 'bool' || checked.type.kind !== 'bool');
};

const candidates = (broken: BrokenExpression): readonly Repair[] => {
  const operators = operatorEdits(broken.text);
  const functions = functionEdits(broken.text);
  const names = quotedClaimEdits(broken.text, broken.quote);
  const bare = bareNameRepairs(broken);
  const arrows = arrowEdits(broken.text);
  return [
    // In other languages, `not a == b` negates the comparison.
    {
      title: titleOf(operators),
      edits: operators,
      ...(negates(broken.text, operators) ? { choice: true } : {}),
    },
    { title: titleOf(names), edits: names },
    { title: 'Write the variable as an argument', edits: arrows, isPartial: true },
    { title: titleOf(functions), edits: functions, changesAccess: true },
    ...bare,
    ...boolRepairs(broken),
  ];
};

/** Rewrites `map(g => …)` and `map((g) => …)` as `map(g, …)`. */
const arrowEdits = (text: string): readonly TextEdit[] =>
  Array.from(
    maskStrings(text).matchAll(/\([ \t]*(?:(\w+)|\([ \t]*(\w+)[ \t]*\))[ \t]*=>[ \t]*/g),
    ({ index, 0: found, 1: plain, 2: inBrackets }) => ({
      span: span(index, index + found.length),
      newText: `(${plain ?? inBrackets ?? ''}, `,
    }),
  );

const titleOf = (edits: readonly TextEdit[]): string =>
  `Write ${[...new Set(edits.map(({ newText }) => newText.trim()))].join(', ')}`;

/** Replaces strings and comments by quotes of the same length. */
const maskStrings = (text: string): string =>
  text.replaceAll(
    /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*/g,
    (found) => "'".repeat(found.length),
  );

const operators: readonly (readonly [RegExp, string])[] = [
  [/===/g, '=='],
  [/!==/g, '!='],
  [/(?<![=!<>])=(?![=>])/g, '=='],
  [/<>/g, '!='],
  [/(?<=\s)and(?=\s)/gi, '&&'],
  [/(?<=\s)or(?=\s)/gi, '||'],
  [/(?<![\w.])not\s+(?=[\w(!])/gi, '!'],
  [/(?<!&)&(?!&)/g, '&&'],
  [/(?<!\|)\|(?!\|)/g, '||'],
  [/[“”]/g, '"'],
  [/[‘’]/g, "'"],
];

/** Reports whether `not` is followed by an expression without parentheses. */
const negates = (text: string, edits: readonly TextEdit[]): boolean =>
  edits.some(({ span: { end }, newText }) => newText === '!' && text[end] !== '(');

const operatorEdits = (text: string): readonly TextEdit[] => {
  const read = maskStrings(text);
  return operators.flatMap(([pattern, newText]) =>
    Array.from(read.matchAll(pattern), ({ index, 0: found }) => ({
      span: span(index, index + found.length),
      newText,
    })),
  );
};

/** Names that other languages use for functions of CEL. */
const functionNames: readonly (readonly [RegExp, string])[] = [
  [/(?<=\.)(?:toLowerCase|toLower|lower|downcase|lowercase)(?=\()/g, 'lowerAscii'],
  [/(?<=\.)(?:toUpperCase|toUpper|upper|upcase|uppercase)(?=\()/g, 'upperAscii'],
  [/(?<=\.)(?:length|len|count)(?=\(\))/g, 'size'],
  [/(?<![\w.])(?:length|len|count)(?=\()/g, 'size'],
  [/(?<=\.)(?:strip|trimSpace)(?=\()/g, 'trim'],
  [/(?<=\.)(?:any|some)(?=\()/g, 'exists'],
  [/(?<=\.)every(?=\()/g, 'all'],
  [/(?<=\.)(?:hasPrefix|startswith)(?=\()/g, 'startsWith'],
  [/(?<=\.)(?:hasSuffix|endswith)(?=\()/g, 'endsWith'],
  [/(?<=\.)match(?=\()/g, 'matches'],
  // If a literal and a claim are compared, the literal is the pattern.
  [/(?<=[\w\])]\.)test(?=\(\s*[rR]?'{2,}\s*\))/g, 'matches'],
  [/(?<=\.)replaceAll(?=\()/g, 'replace'],
  [/(?<![\w.])(?:str|toString)(?=\()/g, 'string'],
];

/** Returns the function of CEL that other languages call by this name. */
export const celFunctionOf = (name: string): string | undefined =>
  functionNames.find(([pattern]) =>
    // The patterns are global: unlike `test`, `search` ignores their last position.
    [`x.${name}()`, `${name}(x)`].some((call) => call.search(pattern) !== -1),
  )?.[1];

const functionEdits = (text: string): readonly TextEdit[] => {
  const read = maskStrings(text);
  const named = functionNames.flatMap(([pattern, newText]) =>
    Array.from(read.matchAll(pattern), ({ index, 0: found }) => ({
      span: span(index, index + found.length),
      newText,
    })),
  );
  return [...named, ...patternTestEdits(text, read)];
};

/**
 * Swaps receiver and argument of `"^a".test(claims.b)`: other languages call the method on the
 * pattern, CEL passes the pattern.
 */
const patternTestEdits = (text: string, read: string): readonly TextEdit[] =>
  Array.from(
    read.matchAll(/(\b[rR])?('{2,})\.test\(\s*([\w.]+)\s*\)/g),
    ({ index, 0: found, 1: prefix = '', 2: quoted = '', 3: subject }) => {
      const pattern = text.slice(index, index + prefix.length + quoted.length);
      return {
        span: span(index, index + found.length),
        newText: `${subject}.matches(${pattern})`,
      };
    },
  );

/**
 * Quotes claim names that are not identifiers: `claims.cognito:groups`, `claims.my-team`,
 * `claims.https://example.com/roles`.
 */
const quotedClaimEdits = (text: string, quote: string): readonly TextEdit[] =>
  Array.from(
    text.matchAll(/(?<![\w."'])claims\.((?:https?:\/\/[\w.:-]+(?:\/[\w.-]+)*)|\w+(?:[-:/]\w+)+)/g),
    ({ index, 0: found, 1: name = '' }) => ({
      span: span(index + 'claims'.length, index + found.length),
      newText: `[${quote}${name}${quote}]`,
    }),
  );

/** Prefixes unknown names with the only variable that the expression has. */
const bareNameRepairs = ({
  compilation,
  environment,
  text,
}: BrokenExpression): readonly Repair[] => {
  const found = compilation.errors.map(({ message, span: where }) => ({
    name: /^undeclared reference to '(\w+)'/.exec(message)?.[1],
    where,
  }));
  const names = found.flatMap(({ name }) => name ?? []);
  if (names.length === 0 || names.length < found.length) return [];
  // `user` is the variable of user validation rules, not a claim of that name.
  if (environment === 'claims' && names.includes('user')) return [];
  const prefix = environment === 'claims' ? 'claims.' : 'user.';
  const edits = found.flatMap(({ name, where: { start } }) =>
    text.startsWith(name ?? '', start) ? [{ span: span(start, start), newText: prefix }] : [],
  );
  const members = environment === 'claims' ? commonClaims : userMembers;
  const isSure = names.every((name) => members.has(name));
  const title = `Write ${[...new Set(names)].map((name) => prefix + name).join(', ')}`;
  return [{ title, edits, ...(isSure ? {} : { choice: true }) }];
};

const userMembers: ReadonlySet<string> = new Set(['username', 'uid', 'groups', 'extra']);

/** Claims that every issuer knows, and a few that large issuers add. */
const commonClaims: ReadonlySet<string> = new Set([
  ...knownClaims.map(({ name }) => name),
  'hd',
  'oid',
  'tid',
  'upn',
  'scope',
  'scp',
]);

/** Compares the expression of a rule with true if the checker cannot know that it is a bool. */
const boolRepairs = ({ compilation, result, text }: BrokenExpression): readonly Repair[] => {
  const { tree, type } = compilation.checked;
  if (result !== 'bool' || compilation.errors[0]?.message !== 'must evaluate to bool') return [];
  if ((type.kind !== 'dyn' && type.kind !== 'any') || isArithmetic(tree)) return [];
  const isOperation = tree.kind === 'call' && /^_[^[?]|^[!-]_|^@in/.test(tree.function);
  const at = span(text.trimEnd().length, text.trimEnd().length);
  const edits = isOperation
    ? [
        { span: span(0, 0), newText: '(' },
        { span: at, newText: ') == true' },
      ]
    : [{ span: at, newText: ' == true' }];
  return [{ title: 'Compare with true', edits, ...(isKnownBool(tree) ? {} : { choice: true }) }];
};

/** Returns true for an operation whose result is never a bool. */
export const isArithmetic = (node: CelNode): boolean =>
  node.kind === 'call' && /^(?:_[-+*/%]_|-_)$/.test(node.function);

/** Returns true if the expression is a bool by the name of its claim or by its default. */
const isKnownBool = (node: CelNode): boolean => {
  if (node.kind === 'select') return /(?:^|_)verified$/.test(node.field);
  if (node.kind !== 'call' || node.function !== 'orValue') return false;
  const [otherwise] = node.args;
  return otherwise?.kind === 'literal' && otherwise.constant.kind === 'bool';
};
