/**
 * Decodes header blocks as a client does (RFC 7541), independently of the server's code, with
 * Huffman coding and a dynamic table.
 */

export type Field = readonly [name: string, value: string];

/** Creates a decoder for one connection; blocks have to be decoded in order. */
export const hpackReader = (): ((block: Uint8Array) => readonly Field[]) => {
  const table: Field[] = [];
  let limit = 4096;
  /** Evicts the oldest entries until the table fits (RFC 7541, 4.3 and 4.4). */
  const evict = (): void => {
    let size = 0;
    const end = table.findIndex(([name, value]) => {
      size += name.length + value.length + 32;
      return size > limit;
    });
    if (end >= 0) table.splice(end);
  };
  const entry = (index: number): Field => {
    const found = index <= staticTable.length ? staticTable[index - 1] : undefined;
    const field = found ?? table[index - staticTable.length - 1];
    if (field === undefined) throw new Error(`no entry ${index} in the header table`);
    return field;
  };
  return (block) => {
    let place = 0;
    const next = (): number => block[place++] ?? Number.NaN;
    const number = (bits: number): number => {
      const most = 2 ** bits - 1;
      let value = next() & most;
      if (value < most) return value;
      for (let scale = 1; ; scale *= 128) {
        const byte = next();
        if (Number.isNaN(byte)) throw new Error('a header block ends within an integer');
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    };
    const text = (): string => {
      const isHuffman = ((block[place] ?? 0) & 0x80) !== 0;
      const length = number(7);
      place += length;
      const bytes = block.subarray(place - length, place);
      return Buffer.from(isHuffman ? huffmanDecoded(bytes) : bytes).toString('latin1');
    };
    const fields: Field[] = [];
    while (place < block.length) {
      const first = block[place] ?? 0;
      if (first >= 0x80) {
        fields.push(entry(number(7)));
        continue;
      }
      if (first >= 0x20 && first < 0x40) {
        limit = number(5);
        evict();
        continue;
      }
      const isIndexed = first >= 0x40;
      const index = number(isIndexed ? 6 : 4);
      const field: Field = [index === 0 ? text() : entry(index)[0], text()];
      if (isIndexed) table.unshift(field);
      if (isIndexed) evict();
      fields.push(field);
    }
    return fields;
  };
};

const huffmanDecoded = (bytes: Uint8Array): readonly number[] => {
  const symbols: number[] = [];
  let code = 0;
  let length = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = code * 2 + ((byte >> bit) & 1);
      length += 1;
      const symbol = symbolByCode.get(codeKey(length, code));
      if (symbol === undefined) continue;
      symbols.push(symbol);
      code = 0;
      length = 0;
    }
  }
  return symbols;
};

const codeKey = (length: number, code: number): number => length * 2 ** 32 + code;

/**
 * Code lengths in bits, one base-36 digit for each symbol; codes of one length are in the order of
 * their symbols.
 */
const codeLengths = [
  'dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad677777777777777777777',
  '77878djde6f56565666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmo',
  'lmnnllmlnmnnkmmmnmmnqqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu',
].join('');

const symbolByCode = new Map<number, number>();
for (let length = 5, code = 0; length <= 30; length += 1, code *= 2) {
  for (const [symbol, digit] of [...codeLengths].entries()) {
    if (Number.parseInt(digit, 36) !== length) continue;
    symbolByCode.set(codeKey(length, code), symbol);
    code += 1;
  }
}

const staticTable: readonly Field[] = [
  ':authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https',
  ':status 200|:status 204|:status 206|:status 304|:status 400|:status 404|:status 500',
  'accept-charset|accept-encoding gzip, deflate|accept-language|accept-ranges|accept',
  'access-control-allow-origin|age|allow|authorization|cache-control|content-disposition',
  'content-encoding|content-language|content-length|content-location|content-range|content-type',
  'cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range',
  'if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate',
  'proxy-authorization|range|referer|refresh|retry-after|server|set-cookie',
  'strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate',
]
  .join('|')
  .split('|')
  .map((line) => {
    const [name = '', ...value] = line.split(' ');
    return [name, value.join(' ')];
  });
