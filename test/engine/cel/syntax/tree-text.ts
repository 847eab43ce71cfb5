/** Formats trees compactly for tests. Holes are `□`. */
import type { CelNode, Constant } from '../../../../engine/src/cel/tree/ast.ts';

export const treeText = (node: CelNode): string => {
  switch (node.kind) {
    case 'hole':
      return '□';
    case 'literal':
      return constantText(node.constant);
    case 'ident':
      return node.name;
    case 'select':
      return `${treeText(node.operand)}.${node.field || '□'}${node.testOnly ? '~' : ''}`;
    case 'call': {
      const target = node.target === undefined ? '' : `${treeText(node.target)}.`;
      return `${target}${node.function}(${node.args.map(treeText).join(', ')})`;
    }
    case 'list': {
      const elements = node.elements.map((element, index) =>
        node.optionalIndices.includes(index) ? `?${treeText(element)}` : treeText(element),
      );
      return `[${elements.join(', ')}]`;
    }
    case 'map': {
      const entries = node.entries.map(
        (entry) => `${entry.optional ? '?' : ''}${treeText(entry.key)}: ${treeText(entry.value)}`,
      );
      return `{${entries.join(', ')}}`;
    }
    case 'struct': {
      const fields = node.fields.map(
        (field) => `${field.optional ? '?' : ''}${field.name}: ${treeText(field.value)}`,
      );
      return `${node.typeName}{${fields.join(', ')}}`;
    }
    case 'comprehension': {
      const variables =
        node.iterVar2 === undefined ? node.iterVar : `${node.iterVar}, ${node.iterVar2}`;
      const parts = [
        `${variables} in ${treeText(node.iterRange)}`,
        `${node.accuVar} = ${treeText(node.accuInit)}`,
        `while ${treeText(node.loopCondition)}`,
        `then ${treeText(node.loopStep)}`,
        `gives ${treeText(node.result)}`,
      ];
      return `loop(${parts.join('; ')})`;
    }
  }
};

const constantText = (constant: Constant): string => {
  switch (constant.kind) {
    case 'null':
      return 'null';
    case 'uint':
      return `${constant.value}u`;
    case 'string':
      return JSON.stringify(constant.value);
    case 'bytes':
      return `b${JSON.stringify([...constant.value])}`;
    case 'double':
      return Object.is(constant.value, -0) ? '-0.0' : `${constant.value}d`;
    default:
      return `${constant.value}`;
  }
};
