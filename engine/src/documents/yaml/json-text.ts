/** Serializes data as JSON text, which Kubernetes makes of YAML before it is decoded. */
import type { DataNode } from './data.ts';

/**
 * Returns the JSON text. Numbers are written as in the file; the last of duplicate keys wins. It is
 * `undefined` if the text would be longer than `maxLength`: a short file with aliases may expand to
 * a long text.
 */
export const jsonText = (data: DataNode, maxLength: number): string | undefined => {
  const pieces: string[] = [];
  let length = 0;
  const write = (piece: string): boolean => {
    length += piece.length;
    if (length > maxLength) return false;
    pieces.push(piece);
    return true;
  };
  return writeNode(data, write) ? pieces.join('') : undefined;
};

type Write = (piece: string) => boolean;

const writeNode = (data: DataNode, write: Write): boolean => {
  switch (data.kind) {
    case 'object': {
      let separator = '{';
      for (const [key, { value }] of data.byKey) {
        if (!write(`${separator}${JSON.stringify(key)}:`) || !writeNode(value, write)) return false;
        separator = ',';
      }
      return write(separator === '{' ? '{}' : '}');
    }
    case 'array': {
      let separator = '[';
      for (const item of data.items) {
        if (!write(separator) || !writeNode(item, write)) return false;
        separator = ',';
      }
      return write(separator === '[' ? '[]' : ']');
    }
    case 'string':
      return write(JSON.stringify(data.text));
    case 'number':
      return write(data.text);
    case 'bool':
      return write(String(data.value));
    case 'null':
      return write('null');
  }
};
