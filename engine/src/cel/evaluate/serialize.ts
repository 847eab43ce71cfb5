/**
 * Serializes a checked expression to JSON data, from which a program is planned without parser or
 * checker. Nodes are arrays that begin with their kind and ID and contain the results of the
 * checker. The same expression always gives the same data.
 */
import { newestRelease, type Release } from '../../model/release.ts';
import type { CheckedExpression, Reference } from '../check/checked-expression.ts';
import type { CelNode, Constant, IdentNode, SelectNode } from '../tree/ast.ts';

/** An expression in a compiled artifact. */
export interface SerializedExpression {
  /** The source of the expression, for messages and traces. */
  readonly text: string;
  /** The release whose behavior the program has; absent for the newest one. */
  readonly release?: Release;
  /** The serialized tree with types and references, see `serializeExpression`. */
  readonly code: unknown;
}

/** JSON data to write. */
export type JsonCode = null | boolean | number | string | readonly JsonCode[];

/** Serializes a checked expression without errors. */
export const serializeExpression = (checked: CheckedExpression): SerializedExpression => ({
  text: checked.parsed.text,
  ...(checked.release === newestRelease ? {} : { release: checked.release }),
  code: encodeNode(checked, checked.tree),
});

const encodeNode = (checked: CheckedExpression, node: CelNode): JsonCode => {
  const encode = (child: CelNode): JsonCode => encodeNode(checked, child);
  const reference = checked.references.get(node.id);
  switch (node.kind) {
    case 'literal':
      return ['c', node.id, ...encodeConstant(node.constant)];
    case 'ident':
      return encodeIdent(checked, node, reference);
    case 'select':
      if (!node.testOnly && reference?.name !== undefined) {
        return encodeIdent(checked, node, reference);
      }
      return [node.testOnly ? 'h' : 's', node.id, node.field, encode(node.operand)];
    case 'call': {
      const args = node.target === undefined ? node.args : [node.target, ...node.args];
      const overloads = reference?.overloads ?? [];
      const overload = overloads.length === 1 ? (overloads[0] ?? null) : null;
      return ['f', node.id, node.function, overload, ...args.map(encode)];
    }
    case 'list':
      return ['l', node.id, node.optionalIndices, ...node.elements.map(encode)];
    case 'map':
      return [
        'm',
        node.id,
        ...node.entries.map((entry) => [entry.optional, encode(entry.key), encode(entry.value)]),
      ];
    case 'struct':
      return [
        'o',
        node.id,
        reference?.name ?? node.typeName,
        ...node.fields.map((field) => [field.optional, field.name, encode(field.value)]),
      ];
    case 'comprehension':
      return [
        'x',
        node.id,
        node.iterVar,
        node.iterVar2 ?? null,
        node.accuVar,
        encode(node.iterRange),
        encode(node.accuInit),
        encode(node.loopCondition),
        encode(node.loopStep),
        encode(node.result),
      ];
    case 'hole':
      return ['?', node.id];
  }
};

const encodeIdent = (
  checked: CheckedExpression,
  node: IdentNode | SelectNode,
  reference: Reference | undefined,
): JsonCode => {
  const written = node.kind === 'ident' ? node.name : '';
  const name = reference?.name ?? written.replace(/^\./, '');
  if (checked.types.get(node.id)?.kind === 'type') return ['t', node.id, name];
  // A leading dot skips the variables of comprehensions.
  return ['v', node.id, written.startsWith('.') ? `.${name}` : name];
};

const encodeConstant = (constant: Constant): readonly JsonCode[] => {
  switch (constant.kind) {
    case 'null':
      return ['null'];
    case 'int':
    case 'uint':
      return [constant.kind, constant.value.toString()];
    case 'double':
      return ['double', Object.is(constant.value, -0) ? '-0' : String(constant.value)];
    case 'bytes':
      return ['bytes', Array.from(constant.value)];
    default:
      return [constant.kind, constant.value];
  }
};
