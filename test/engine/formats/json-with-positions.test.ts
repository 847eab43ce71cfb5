import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type JsonNode,
  parseJsonWithPositions,
} from '../../../engine/src/formats/json-with-positions.ts';
import { readJsonWithShape } from '../../../engine/src/formats/json-with-shape.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';

const errorOf = (text: string): string | undefined => {
  const tree = parseJsonWithPositions(encodeUtf8(text));
  return tree.kind === 'error' ? tree.error : undefined;
};

describe('reports the errors of Go', () => {
  test.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['[1', 'unexpected end of JSON input'],
    ['"a', 'unexpected end of JSON input'],
    ['"\\u12', "invalid character ' ' in \\u hexadecimal character escape"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['{}x', "invalid character 'x' after top-level value"],
    ['{} {}', "invalid character '{' after top-level value"],
    ['{,}', "invalid character ',' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['[01]', "invalid character '1' after array element"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['+1', "invalid character '+' looking for beginning of value"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1ex', "invalid character 'x' in exponent of numeric literal"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['nul1', "invalid character '1' in literal null (expecting 'l')"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['\u0000', "invalid character '\\x00' looking for beginning of value"],
  ])('%j', (text, message) => {
    expect(errorOf(text)).toBe(message);
  });

  test('accepts ten thousand levels and no more', () => {
    expect(errorOf('['.repeat(10_000) + ']'.repeat(10_000))).toBeUndefined();
    expect(errorOf('['.repeat(10_001) + ']'.repeat(10_001))).toBe(
      "invalid character '[' exceeded max depth",
    );
  });
});

describe('both JSON parsers give the same result', () => {
  const fromTree = (node: JsonNode): unknown => {
    switch (node.kind) {
      case 'object':
        return Object.fromEntries(node.members.map(({ name, value }) => [name, fromTree(value)]));
      case 'array':
        return node.items.map(fromTree);
      case 'string':
        return node.text;
      case 'number':
        return Number(node.literal);
      case 'bool':
        return node.value;
      case 'null':
        return null;
    }
  };
  const expectSameResult = (bytes: Uint8Array) => {
    const measured = readJsonWithShape(bytes);
    const tree = parseJsonWithPositions(bytes);
    expect(measured === undefined).toBe(tree.kind === 'error');
    if (measured !== undefined && tree.kind === 'tree') {
      expect(measured.value).toStrictEqual(fromTree(tree.root));
    }
  };

  test('for JSON of any shape', () => {
    fc.assert(fc.property(fc.json(), (text) => expectSameResult(encodeUtf8(text))));
  });

  test('for JSON with changed bytes', () => {
    const changed = fc
      .tuple(fc.json(), fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))))
      .map(([text, changes]) => {
        const bytes = encodeUtf8(text);
        for (const [at, byte] of changes.slice(0, 3)) bytes[at % bytes.length] = byte;
        return bytes;
      });
    fc.assert(fc.property(changed, expectSameResult), { numRuns: 500 });
  });

  test.each([
    '{"a":1,"a":2}',
    '{"__proto__":{"sub":"x"},"constructor":1}',
    '["\\ud800","\\ud83d\\ude00","\\udc00\\ud800","\\ud800\\u0041"]',
    '{"\\ud800":1,"\\ufffd":2}',
    ' [ 1e2 , -0 , 1E+2 ] \r\n',
    '{"2":1,"1":2}',
    '["\\\\ud800","\\\\\\ud800","\\ud83d\\\\ude00","\\ude00\\ud83d\\ude00"]',
  ])('for %j', (text) => expectSameResult(encodeUtf8(text)));

  test('for ten thousand levels with a lone surrogate inside', () => {
    const bytes = encodeUtf8(`${'['.repeat(10_000)}"\\ud800"${']'.repeat(10_000)}`);
    expect(readJsonWithShape(bytes)?.isRepaired).toBe(true);
    expect(parseJsonWithPositions(bytes).kind).toBe('tree');
  });

  test('for bytes that are not UTF-8, each of which is replaced', () => {
    const bytes = Uint8Array.from([0x5b, 0x22, 0xe2, 0x82, 0x41, 0xff, 0x22, 0x5d]);
    expect(readJsonWithShape(bytes)?.value).toEqual(['\ufffd\ufffdA\ufffd']);
    expectSameResult(bytes);
  });
});

describe('measures the shape', () => {
  const shapeOf = (text: string) => readJsonWithShape(encodeUtf8(text))?.shape;
  test('counts levels, members and items outside of strings', () => {
    expect(shapeOf('{"a":[1,[2,3,4]],"b{[,":"\\"]}"}')).toMatchObject({
      depth: 3,
      outerMembers: 2,
      allMembers: 2,
      mostMembers: 2,
      mostItems: 3,
    });
  });
  test('counts repeated members', () => {
    expect(shapeOf('{"a":1,"a":2}')?.outerMembers).toBe(2);
    expect(shapeOf('{"a":{"b":1,"b":2},"c":[{}]}')?.allMembers).toBe(5);
  });
  test.each([
    ['[1e5]', true],
    ['["1e5"]', false],
    ['[true,false,null]', false],
    [`[${'9'.repeat(310)}]`, true],
    ['[1.5,-3]', false],
  ])('%j may overflow: %j', (text, expected) => {
    expect(shapeOf(text)?.mayOverflow).toBe(expected);
  });
});
