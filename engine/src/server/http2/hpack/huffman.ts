/**
 * Decodes the Huffman code of HPACK (RFC 7541, 5.2 and appendix B). The code is canonical: the
 * lengths of all codes determine the codes. Each step decodes four bits without branches, since
 * code lengths are unpredictable for a processor.
 */

/** Code lengths of the symbols 0 to 256 in bits; `28*7` means seven times 28. */
const codeLengthRuns =
  '13 23 28*7 24 30 28*2 30 28*8 30 28*9 6 10*2 12 13 6 8 11 10*2 8 11 8 6*3 5*3 6*7 7 8 15 6 12 ' +
  '10 13 6 7*22 8 7 8 13 19 13 14 6 15 5 6 5 6 5 6*3 5 7*2 6*3 5 6 7 6 5*2 6 7*5 15 11 14 13 28 20 ' +
  '22 20*2 22*3 23 22 23*5 24 23 24*2 22 23 24 23*4 21 22 23 22 23*2 24 22 21 20 22*2 23*2 21 23 ' +
  '22*2 24 21 22 23*2 21*2 22 21 23 22 23*2 20 22*3 23 22*2 23 26*2 20 19 22 23 22 25 26*3 27*2 26 ' +
  '24 25 19 21 26 27*2 26 27 24 21*2 26*2 28 27*3 20 24 20 21 22 21*2 23 22*2 25*2 24*2 26 23 26 27 ' +
  '26*2 27*5 28 27*5 26 30';

/** The end-of-string symbol. A prefix of its code pads a string; the complete code is an error. */
const eosSymbol = 256;
const shortestBits = 5;
const longestBits = 30;
const maxPaddingBits = 7;

/**
 * A state is a node of the code tree; 0 is the root. Codes are longer than four bits, so no step
 * completes two of them.
 */
interface Steps {
  /**
   * Indexed by state * 16 + the next four bits: the next state * 16, a flag for a symbol, and the
   * symbol.
   */
  readonly table: Uint32Array;
  /** Indexed by state: 1 if the bits since the last symbol are valid padding. */
  readonly mayEnd: Uint8Array;
}

const stateShift = 16;
const hasSymbolShift = 8;

/** Indexed by node * 2 + bit: the child node, or -1 - symbol for a leaf, or 0 while unset. */
type Tree = number[];

const buildTree = (): Tree => {
  const lengths = codeLengthRuns.split(' ').flatMap((run) => {
    const [bits = 0, times = 1] = run.split('*').map(Number);
    return new Array<number>(times).fill(bits);
  });
  const tree: Tree = [0, 0];
  let code = 0;
  for (let bits = shortestBits; bits <= longestBits; bits += 1) {
    code <<= 1;
    for (const [symbol, length] of lengths.entries()) {
      if (length !== bits) continue;
      addLeaf(tree, { code, bits, symbol });
      code += 1;
    }
  }
  return tree;
};

interface Leaf {
  readonly code: number;
  readonly bits: number;
  readonly symbol: number;
}

const addLeaf = (tree: Tree, { code, bits, symbol }: Leaf): void => {
  let node = 0;
  for (let shift = bits - 1; shift > 0; shift -= 1) {
    const place = node * 2 + ((code >> shift) & 1);
    const below = tree[place] || tree.push(0, 0) / 2 - 1;
    tree[place] = below;
    node = below;
  }
  tree[node * 2 + (code & 1)] = -1 - symbol;
};

const buildSteps = (): Steps => {
  const tree = buildTree();
  const deadNode = tree.length / 2;
  const table = new Uint32Array((deadNode + 1) * 16).fill((deadNode * 16) << stateShift);
  for (let step = 0; step < deadNode * 16; step += 1) {
    let node = step >> 4;
    let output = 0;
    for (let shift = 3; shift >= 0 && node !== deadNode; shift -= 1) {
      node = tree[node * 2 + ((step >> shift) & 1)] ?? deadNode;
      if (node >= 0) continue;
      const symbol = -1 - node;
      output = (1 << hasSymbolShift) | symbol;
      node = symbol === eosSymbol ? deadNode : 0;
    }
    table[step] = ((node * 16) << stateShift) | (node === deadNode ? 0 : output);
  }
  const mayEnd = new Uint8Array(deadNode + 1);
  for (let ones = 0, node = 0; ones <= maxPaddingBits; ones += 1) {
    mayEnd[node] = 1;
    node = tree[node * 2 + 1] ?? deadNode;
  }
  return { table, mayEnd };
};

let steps: Steps | undefined;

/** Returns the maximum length of a string that is encoded in so many bytes. */
export const maxDecodedBytes = (bytes: number): number => Math.floor((bytes * 8) / shortestBits);

/**
 * Decodes the string from `start` to `end` of `block` into `into`, as much of it as fits. Returns
 * the length of the whole string, or -1 if it is invalid.
 */
export const decodeHuffman = (
  block: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  into: Buffer,
): number => {
  steps ??= buildSteps();
  const { table, mayEnd } = steps;
  const capacity = into.length;
  let length = 0;
  let step = 0;
  for (let at = start; at < end; at += 1) {
    const byte = block[at] ?? 0;
    // A step without a symbol leaves `length` unchanged, so the next step overwrites its output.
    step = table[(step >>> stateShift) | (byte >> 4)] ?? 0;
    if (length < capacity) into[length] = step;
    length += (step >> hasSymbolShift) & 1;
    step = table[(step >>> stateShift) | (byte & 0xf)] ?? 0;
    if (length < capacity) into[length] = step;
    length += (step >> hasSymbolShift) & 1;
  }
  return mayEnd[step >>> (stateShift + 4)] === 1 ? length : -1;
};
