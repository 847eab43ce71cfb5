/**
 * What a broken expression was probably meant to be: habits of other languages (`=`, `and`,
 * `toLowerCase`), claims whose names are no words, claims named without `claims`. A repair is told only
 * where the whole expression then compiles.
 */

import { compileExpression, type ExpressionCompilation } from '../../cel/compile-expression.ts';
import type { CelNode } from '../../cel/tree/ast.ts';
import { knownClaims } from '../../model/known-claims.ts';
import type { Release } from '../../model/release.ts';
import { span } from '../../source/span.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';

export interface Repair {
  readonly title: string;
  /** Over the expression's own text. */
  readonly edits: readonly TextEdit[];
  /** A guess. */
  readonly choice?: true;
  /** What it means may differ from what was meant, and a rule stands or falls by it. */
  readonly decides?: true;
}

export interface BrokenExpression {
  readonly text: string;
  readonly compilation: ExpressionCompilation;
  readonly environment: 'claims' | 'user';
  readonly result: 'bool' | 'any';
  readonly release: Release;
  /** The quote that needs no escape where the expression stands. */
  readonly quote: '"' | "'";
}

/** The first repair that helps. */
export const repairOf = (broken: BrokenExpression): Repair | undefined => {
  if (broken.text.length > maxRepairedLength) return undefined;
  const cached = repairCache.get(broken.compilation);
  if (cached !== undefined) return cached.repair;
  const repair = candidates(broken).find(
    ({ edits }) => edits.length > 0 && compiles(broken, applyEdits(broken.text, edits)),
  );
  repairCache.set(broken.compilation, { repair });
  return repair;
};

/** Whether fewer errors are left with a change that somebody proposes. */
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

/** Longer ones are compiled once only. */
const maxRepairedLength = 2000;

/** Asked again after every edit of the file. */
const repairCache = new WeakMap<ExpressionCompilation, { readonly repair: Repair | undefined }>();

const compiles = ({ environment, result, release }: BrokenExpression, text: string): boolean =>
  compileExpression({ text, environment, result, release }).serverError === undefined;

const candidates = (broken: BrokenExpression): readonly Repair[] => {
  const operators = operatorEdits(broken.text);
  const functions = functionEdits(broken.text);
  const names = quotedClaimEdits(broken.text, broken.quote);
  const bare = bareNameRepairs(broken);
  return [
    { title: titleOf(operators), edits: operators },
    { title: titleOf(names), edits: names },
    { title: titleOf(functions), edits: functions, decides: true },
    ...bare,
    ...boolRepairs(broken),
  ];
};

const titleOf = (edits: readonly TextEdit[]): string =>
  `Write ${[...new Set(edits.map(({ newText }) => newText.trim()))].join(', ')}`;

/** Texts and comments as blanks of the same length. */
const maskStrings = (text: string): string =>
  text.replaceAll(
    /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*/g,
    (found) => "'".repeat(found.length),
  );

const operators: readonly (readonly [RegExp, string])[] = [
  [/===/g, '=='],
  [/!==/g, '!='],
  [/(?<![=!<>])=(?!=)/g, '=='],
  [/<>/g, '!='],
  [/(?<=\s)and(?=\s)/gi, '&&'],
  [/(?<=\s)or(?=\s)/gi, '||'],
  [/(?<![\w.])not\s+(?=[\w(!])/gi, '!'],
  [/(?<!&)&(?!&)/g, '&&'],
  [/(?<!\|)\|(?!\|)/g, '||'],
  [/[“”]/g, '"'],
  [/[‘’]/g, "'"],
];

const operatorEdits = (text: string): readonly TextEdit[] => {
  const read = maskStrings(text);
  return operators.flatMap(([pattern, newText]) =>
    Array.from(read.matchAll(pattern), ({ index, 0: found }) => ({
      span: span(index, index + found.length),
      newText,
    })),
  );
};

/** What other languages call a function that CEL has. */
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
  // Of a written text and what a claim holds, the written one is the pattern.
  [/(?<=[\w\])]\.)test(?=\(\s*[rR]?'{2,}\s*\))/g, 'matches'],
  [/(?<=\.)replaceAll(?=\()/g, 'replace'],
  [/(?<![\w.])(?:str|toString)(?=\()/g, 'string'],
];

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

/** `"^a".test(claims.b)`: a pattern stands in front where others have it, in brackets here. */
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

/** `claims.cognito:groups`, `claims.my-team`, `claims.https://example.com/roles`: names that need quotes. */
const quotedClaimEdits = (text: string, quote: string): readonly TextEdit[] =>
  Array.from(
    text.matchAll(/(?<![\w."'])claims\.((?:https?:\/\/[\w.:-]+(?:\/[\w.-]+)*)|\w+(?:[-:/]\w+)+)/g),
    ({ index, 0: found, 1: name = '' }) => ({
      span: span(index + 'claims'.length, index + found.length),
      newText: `[${quote}${name}${quote}]`,
    }),
  );

/** Names that stand alone; each unknown one is taken for a member of the only variable there is. */
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
  // The variable of the other rules, not a member that is called so.
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

/** Those that every issuer knows, and a few that large ones add. */
const commonClaims: ReadonlySet<string> = new Set([
  ...knownClaims.map(({ name }) => name),
  'hd',
  'oid',
  'tid',
  'upn',
  'scope',
  'scp',
]);

/** A rule over a truth value that the checker cannot know to be one. */
const boolRepairs = ({ compilation, result, text }: BrokenExpression): readonly Repair[] => {
  const { tree, type } = compilation.checked;
  if (result !== 'bool' || compilation.errors[0]?.message !== 'must evaluate to bool') return [];
  if (type.kind !== 'dyn' && type.kind !== 'any') return [];
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

/** True or false by its definition, or by what stands for it. */
const isKnownBool = (node: CelNode): boolean => {
  if (node.kind === 'select') return /(?:^|_)verified$/.test(node.field);
  if (node.kind !== 'call' || node.function !== 'orValue') return false;
  const [otherwise] = node.args;
  return otherwise?.kind === 'literal' && otherwise.constant.kind === 'bool';
};
