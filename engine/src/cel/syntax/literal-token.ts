/** Converts literal tokens to constants. */
import type { CstNode, IToken } from 'chevrotain';
import { tokenAt } from './concrete-tree.ts';
import {
  type LiteralResult,
  readBytes,
  readDouble,
  readInt,
  readString,
  readUint,
} from './literals.ts';

/** Returns the constant of a literal; `negative` is true for a number with a leading minus. */
export const readLiteral = (token: IToken, negative: boolean): LiteralResult => {
  switch (token.tokenType.name) {
    case 'Int':
      return readInt(token.image, negative);
    case 'Uint':
      return readUint(token.image);
    case 'Double':
      return readDouble(token.image, negative);
    case 'StringLiteral':
      return readString(token.image);
    case 'UnfinishedString':
      return { ok: true, constant: { kind: 'string', value: unfinishedContent(token.image) } };
    case 'BytesLiteral':
      return readBytes(token.image);
    case 'Null':
      return { ok: true, constant: { kind: 'null' } };
    default:
      return { ok: true, constant: { kind: 'bool', value: token.image === 'true' } };
  }
};

/** Reports whether a primary is an int or a double literal, which may have a leading minus. */
export const isNumber = (primary: CstNode | undefined): boolean => {
  const name = tokenAt(primary?.children.literal, 0)?.tokenType.name;
  return name === 'Int' || name === 'Double';
};

/** Returns the content of an unfinished string literal. */
const unfinishedContent = (image: string): string => image.replace(/^[bBrR]*["']|["']$/g, '');
