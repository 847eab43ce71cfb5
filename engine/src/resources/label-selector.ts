/**
 * Parses label selectors of queries by the same rules as kube-apiserver: `app=web,tier notin
 * (a,b),!old`.
 */
import { labelKeyProblems, labelValueProblems } from '../formats/api-names.ts';
import { goQuote } from '../formats/go-quote.ts';
import type { JsonObject } from '../model/json.ts';

export type LabelSelector = (labels: JsonObject) => boolean;

export type SelectorReading<T> =
  | { readonly kind: 'selector'; readonly selector: T; readonly isEmpty: boolean }
  | { readonly kind: 'error'; readonly message: string };

/** Parses a selector; an empty one selects everything. */
export const parseLabelSelector = (text: string): SelectorReading<LabelSelector> => {
  if (text.length > maxSelectorLength) {
    return {
      kind: 'error',
      message: `label selector has more than ${maxSelectorLength} characters`,
    };
  }
  try {
    const requirements = parse(scan(text));
    return {
      kind: 'selector',
      isEmpty: requirements.length === 0,
      selector: (labels) => requirements.every((matches) => matches(labels)),
    };
  } catch (error) {
    if (error instanceof SelectorError) return { kind: 'error', message: error.message };
    throw error;
  }
};

/** Characters of a label selector. */
const maxSelectorLength = 16_384;

/** Signals a syntax error within this file. */
class SelectorError extends Error {}

interface Token {
  readonly kind: 'identifier' | 'end' | 'error' | '!' | '(' | ')' | ',' | Operator;
  readonly text: string;
}

type Operator = '=' | '==' | '!=' | '>' | '<' | 'in' | 'notin';

const operators: readonly Operator[] = ['=', '==', '!=', 'in', 'notin', '>', '<'];
/** Operators in the order in which kube-apiserver's message lists them. */
const operatorNames = 'in, notin, =, ==, !=, gt, lt';
const symbols = new Set(['!', '(', ')', ',', ...operators]);

const isSymbol = (kind: string): kind is Token['kind'] => symbols.has(kind);

const special = /^[=!(),><]/;

const scan = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  let rest = text.replace(/^[ \t\r\n]+/, '');
  while (rest !== '') {
    const token = special.test(rest) ? scanSymbol(rest) : scanIdentifier(rest);
    tokens.push(token.token);
    rest = rest.slice(token.length).replace(/^[ \t\r\n]+/, '');
  }
  return [...tokens, { kind: 'end', text: '' }];
};

const scanIdentifier = (rest: string) => {
  const identifier = /^[^=!(),>< \t\r\n]+/.exec(rest)?.[0] ?? '';
  const kind: Token['kind'] =
    identifier === 'in' || identifier === 'notin' ? identifier : 'identifier';
  return { token: { kind, text: identifier }, length: identifier.length };
};

/** Returns the longest symbol at the start of the text. */
const scanSymbol = (rest: string): { readonly token: Token; readonly length: number } => {
  for (const length of [2, 1]) {
    const text = rest.slice(0, length);
    if (text.length === length && isSymbol(text)) return { token: { kind: text, text }, length };
  }
  return { token: { kind: 'error', text: '' }, length: rest.length };
};

const parse = (tokens: readonly Token[]): readonly LabelSelector[] => {
  const reader = new Reader(tokens);
  const requirements: LabelSelector[] = [];
  for (;;) {
    const next = reader.peek();
    if (next.kind === 'end') return requirements;
    if (next.kind !== 'identifier' && next.kind !== '!') {
      throw new SelectorError(`found '${next.text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(requirement(reader));
    const after = reader.consume();
    if (after.kind === 'end') return requirements;
    if (after.kind !== ',') {
      throw new SelectorError(`found '${after.text}', expected: ',' or 'end of string'`);
    }
    const following = reader.peek();
    if (following.kind !== 'identifier' && following.kind !== '!') {
      throw new SelectorError(`found '${following.text}', expected: identifier after ','`);
    }
  }
};

class Reader {
  readonly #tokens: readonly Token[];
  #position = 0;
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }
  /** Returns the next token; `in` and `notin` are identifiers where a value is expected. */
  peek(): Token {
    const token = this.#tokens[this.#position] ?? { kind: 'end', text: '' };
    return token.kind === 'in' || token.kind === 'notin' ? { ...token, kind: 'identifier' } : token;
  }
  consume(): Token {
    const token = this.peek();
    this.#position += 1;
    return token;
  }
  consumeOperator(): Token {
    this.#position += 1;
    return this.#tokens[this.#position - 1] ?? { kind: 'end', text: '' };
  }
}

const requirement = (reader: Reader): LabelSelector => {
  const failed = (message: string): SelectorError =>
    new SelectorError(`unable to parse requirement: ${message}`);
  let first = reader.consume();
  const isNegated = first.kind === '!';
  if (isNegated) first = reader.consume();
  if (first.kind !== 'identifier') throw failed(`found '${first.text}', expected: identifier`);
  const key = first.text;
  const keyProblems = labelKeyProblems(key);
  if (keyProblems.length > 0) {
    throw failed(`<nil>: Invalid value: ${goQuote(key)}: ${keyProblems.join('; ')}`);
  }
  const next = reader.peek();
  if (isNegated) return (labels) => !labels.has(key);
  if (next.kind === 'end' || next.kind === ',') return (labels) => labels.has(key);
  const operator = reader.consumeOperator();
  if (!isOperator(operator.kind)) {
    throw failed(`found '${operator.text}', expected: ${operatorNames}`);
  }
  const values =
    operator.kind === 'in' || operator.kind === 'notin'
      ? valueList(reader, failed)
      : [exactValue(reader, failed)];
  checkValues(key, operator.kind, { values, failed });
  return matcher(key, operator.kind, values);
};

type Fail = (message: string) => SelectorError;

const isOperator = (kind: Token['kind']): kind is Operator =>
  operators.some((operator) => operator === kind);

const exactValue = (reader: Reader, failed: Fail): string => {
  const next = reader.peek();
  if (next.kind === 'end' || next.kind === ',') return '';
  const value = reader.consume();
  if (value.kind !== 'identifier') throw failed(`found '${value.text}', expected: identifier`);
  return value.text;
};

const valueList = (reader: Reader, failed: Fail): readonly string[] => {
  const open = reader.consume();
  if (open.kind !== '(') throw failed(`found '${open.text}' expected: '('`);
  const first = reader.peek();
  if (first.kind === ')') {
    reader.consume();
    return [''];
  }
  if (first.kind !== 'identifier' && first.kind !== ',') {
    throw failed(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  const values = new Set<string>();
  for (;;) {
    const token = reader.consume();
    if (token.kind === 'identifier') {
      values.add(token.text);
      const next = reader.peek();
      if (next.kind === ')') break;
      if (next.kind !== ',') throw failed(`found '${next.text}', expected: ',' or ')'`);
    } else if (token.kind === ',') {
      if (values.size === 0) values.add('');
      const next = reader.peek();
      if (next.kind === ')') {
        values.add('');
        break;
      }
      if (next.kind === ',') {
        reader.consume();
        values.add('');
      }
    } else throw failed(`found '${token.text}', expected: ',', or identifier`);
  }
  reader.consume();
  return [...values].sort();
};

const checkValues = (
  key: string,
  operator: Operator,
  { values, failed }: { readonly values: readonly string[]; readonly failed: Fail },
): void => {
  const problems: string[] = [];
  for (const [index, value] of values.entries()) {
    if ((operator === '>' || operator === '<') && !/^[+-]?\d+$/.test(value)) {
      problems.push(
        `values[${index}]: Invalid value: ${goQuote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
  }
  for (const [index, value] of values.entries()) {
    const found = labelValueProblems(value);
    if (found.length === 0) continue;
    problems.push(
      `values[${index}][${key}]: Invalid value: ${goQuote(value)}: ${found.join('; ')}`,
    );
  }
  if (problems.length === 0) return;
  throw failed(problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`);
};

const matcher = (key: string, operator: Operator, values: readonly string[]): LabelSelector => {
  const valueIn = (labels: JsonObject): string | undefined => {
    const value = labels.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const has = (value: string | undefined): boolean => value !== undefined && values.includes(value);
  if (operator === 'notin' || operator === '!=') return (labels) => !has(valueIn(labels));
  if (operator !== '>' && operator !== '<') return (labels) => has(valueIn(labels));
  const bound = Number(values[0]);
  return (labels) => {
    const value = valueIn(labels);
    if (value === undefined || !/^[+-]?\d+$/.test(value)) return false;
    return operator === '>' ? Number(value) > bound : Number(value) < bound;
  };
};
