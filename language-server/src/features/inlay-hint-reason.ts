/** Why a rule does not hold, from the values that it read: `claims.hd is "x.org"`. */
import {
  type CelNode,
  type ClaimSet,
  type Compilation,
  childNodes,
  type SeenValue,
  seenValues,
} from '@authgraph/engine/language';

/** `undefined` where the rule reads nothing that could be told. */
export const reasonOf = (
  compilation: Compilation,
  path: string,
  claims: ClaimSet,
): string | undefined => {
  const at = `${path}.expression`;
  const compiled = compilation.expressions.get(at)?.compilation;
  const seen = compiled === undefined ? undefined : seenValues(compilation, at, claims);
  if (compiled === undefined || seen === undefined) return undefined;
  const { tree, parsed } = compiled.checked;
  const told = new Map<string, string>();
  for (const node of readsIn(tree)) {
    const value = seen.get(node.id);
    const text = parsed.text.slice(node.span.start, node.span.end).replaceAll(/\s+/g, ' ');
    if (value !== undefined && told.size < mostTold) told.set(text, wordsFor(node, value));
  }
  if (told.size === 0) return undefined;
  return Array.from(told, ([text, words]) => `${text} ${words}`).join(', ');
};

/** Of a rule with `claim` and `requiredValue`; `undefined` for every other part. */
export const requiredReason = (
  { configuration }: Compilation,
  path: string,
  { claims }: ClaimSet,
): string | undefined => {
  const [, entry = '', rule = ''] =
    /^jwt\[(\d+)\]\.claimValidationRules\[(\d+)\]$/.exec(path) ?? [];
  const claim = configuration?.jwt[Number(entry)]?.claimValidationRules[Number(rule)]?.claim?.value;
  if (rule === '' || claim === undefined) return undefined;
  if (!Object.hasOwn(claims, claim)) return `false: ${claim} is absent`;
  return `false: ${claim} is ${JSON.stringify(claims[claim])}`;
};

/** More would not be read. */
const mostTold = 3;

const wordsFor = (node: CelNode, value: SeenValue): string => {
  if (value.kind === 'error') return 'is absent';
  if (node.kind === 'select' && node.testOnly)
    return value.value === true ? 'is there' : 'is absent';
  return `is ${JSON.stringify(value.value) ?? 'absent'}`;
};

/** The longest reads of claims or of the user, in the order of the text. */
const readsIn = (root: CelNode): readonly CelNode[] => {
  const found: CelNode[] = [];
  const waiting: CelNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isRead(node)) found.push(node);
    else waiting.push(...childNodes(node).toReversed());
  }
  return found;
};

/** `claims.a.b`, `user.groups`, `claims["a"]`, `claims.?a.orValue("")`. */
const isRead = (node: CelNode): boolean => {
  let at: CelNode | undefined = node;
  let steps = 0;
  while (at !== undefined && at.kind !== 'ident') {
    if (at.kind === 'select') at = at.operand;
    else if (at.kind === 'call' && readers.has(at.function)) at = at.args[0];
    else if (at.kind === 'call' && at.function === 'orValue') at = at.target;
    else return false;
    steps += 1;
  }
  return steps > 0 && (at?.name === 'claims' || at?.name === 'user');
};

const readers: ReadonlySet<string> = new Set(['_[_]', '_?._', '_[?_]']);
