/**
 * Lines of a stream of UTF-8, ended by LF alone: the `readline` of Node also ends them at U+2028 and
 * U+2029, which JSON has inside of texts.
 */

export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let pending = '';
  for await (const chunk of stream) {
    const lines = (pending + decoder.decode(chunk, { stream: true })).split('\n');
    pending = lines.pop() ?? '';
    yield* lines;
  }
  pending += decoder.decode();
  if (pending !== '') yield pending;
}
