/** Reads expressions node by node; `read-calls.ts` has the functions and `read-loops.ts` the macros. */

import { type CodeNode, codeKey, type LoopCode } from './code-nodes.ts';
import type { ExpressionReader, Variables } from './expression-reader.ts';
import { decided, isDecided, type PossibleValue } from './possible-values.ts';
import { readCall } from './read-calls.ts';
import { readLoop } from './read-loops.ts';
import { selectField } from './select-field.ts';

/** Returns the possible values of an expression and records what it distinguishes. */
export const readExpression = (
  reader: ExpressionReader,
  node: CodeNode,
  variables: Variables,
): readonly PossibleValue[] => {
  switch (node.kind) {
    case 'constant':
      return [{ kind: 'constant', type: node.type, value: node.value }];
    case 'type':
      return [decided];
    case 'variable':
      return readVariable(reader, node.name, variables);
    case 'select': {
      const operands = readExpression(reader, node.operand, variables);
      const selected = selectField(reader, operands, node.field);
      if (!node.isTest) return selected;
      reader.readAll(selected);
      return [decided];
    }
    case 'list':
      return [readList(reader, node, variables)];
    case 'call':
      return readCall(reader, node, (child) => readExpression(reader, child, variables));
    case 'loop':
      return readLoopNode(reader, node, variables);
    case 'other': {
      const children = node.children.map((child) => readExpression(reader, child, variables));
      return children.every((values) => values.every(isDecided))
        ? [decided]
        : reader.reject('a map is built from claims', ...children);
    }
  }
};

const readVariable = (
  reader: ExpressionReader,
  name: string,
  variables: Variables,
): readonly PossibleValue[] => {
  const values = variables.get(name.replace(/^\./, ''));
  return values ?? reader.reject(`the variable ${name} is read`);
};

const readList = (
  reader: ExpressionReader,
  node: CodeNode & { readonly kind: 'list' },
  variables: Variables,
): PossibleValue => {
  const elements = node.elements.flatMap((element) => readExpression(reader, element, variables));
  if (node.hasOptional) reader.reject('a list has optional elements', elements);
  reader.readAll(elements);
  return { kind: 'list', key: codeKey(node.code), elements, paths: [] };
};

const readLoopNode = (
  reader: ExpressionReader,
  node: CodeNode & LoopCode,
  variables: Variables,
): readonly PossibleValue[] =>
  readLoop(reader, node, {
    read: (child) => readExpression(reader, child, variables),
    readWith: (child, added) =>
      readExpression(reader, child, new Map([...variables, ...Object.entries(added)])),
  });
