/**
 * Reads texts in the Huffman code of HPACK: RFC 7541 5.2 and appendix B. The code is canonical: how
 * long the code of each symbol is says what it is. It is read four bits at a step, without a branch:
 * how long codes are is as good as chance to a processor.
 */

/** The lengths of the codes of symbols 0 to 256 in bits; `28*7` is seven times 28. */
const codeLengthRuns =
  '13 23 28*7 24 30 28*2 30 28*8 30 28*9 6 10*2 12 13 6 8 11 10*2 8 11 8 6*3 5*3 6*7 7 8 15 6 12 ' +
  '10 13 6 7*22 8 7 8 13 19 13 14 6 15 5 6 5 6 5 6*3 5 7*2 6*3 5 6 7 6 5*2 6 7*5 15 11 14 13 28 20 ' +
  '22 20*2 22*3 23 22 23*5 24 23 24*2 22 23 24 23*4 21 22 23 22 23*2 24 22 21 20 22*2 23*2 21 23 ' +
  '22*2 24 21 22 23*2 21*2 22 21 23 22 23*2 20 22*3 23 22*2 23 26*2 20 19 22 23 22 25 26*3 27*2 26 ' +
  '24 25 19 21 26 27*2 26 27 24 21*2 26*2 28 27*3 20 24 20 21 22 21*2 23 22*2 25*2 24*2 26 23 26 27 ' +
  '26*2 27*5 28 27*5 26 30';

/** The symbol that ends a text in theory. Its code pads a text; whole it stands in none. */
const eosSymbol = 256;
const shortestBits = 5;
const longestBits = 30;
const maxPaddingBits = 7;

/**
 * A state is how far one is in the tree of the codes, 0 at its root. A code takes more than four bits:
 * no step ends two.
 */
interface Steps {
  /** By state * 16 + the next four bits: next state * 16, is there a symbol, the symbol. */
  readonly table: Uint32Array;
  /** By state: what came since the last symbol is padding, or nothing. */
  readonly mayEnd: Uint8Array;
}

const stateShift = 16;
const hasSymbolShift = 8;

/** By node * 2 + bit: the node below, or -1 - symbol, or 0 where nothing is yet. */
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

/** How many bytes there may be in a text that has so many bytes in the code. */
export const maxDecodedBytes = (bytes: number): number => Math.floor((bytes * 8) / shortestBits);

/**
 * Reads the text from `start` to `end` of `block` into `into`, as much of it as there is room for.
 * Answers the bytes of the whole text, -1 where it is none.
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
    // Where a step shows no symbol, the next one takes its place.
    step = table[(step >>> stateShift) | (byte >> 4)] ?? 0;
    if (length < capacity) into[length] = step;
    length += (step >> hasSymbolShift) & 1;
    step = table[(step >>> stateShift) | (byte & 0xf)] ?? 0;
    if (length < capacity) into[length] = step;
    length += (step >> hasSymbolShift) & 1;
  }
  return mayEnd[step >>> (stateShift + 4)] === 1 ? length : -1;
};
