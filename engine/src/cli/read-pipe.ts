/** Reads pipes without blocking the process, which a signal could not end otherwise. */

/** What a pipe contains, or why it was not read to its end. */
export type PipeContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'too large' };

export interface PipeOptions {
  readonly maxBytes: number;
  /** Ends the reading; absent if nothing handles signals, which then end the process. */
  readonly signal: AbortSignal | undefined;
}

/** Reads an open named pipe, and closes it. It ends when its last writer has closed it. */
export const readNamedPipe = async (
  descriptor: number,
  options: PipeOptions,
): Promise<PipeContent> => {
  const { Socket } = await import('node:net');
  return readPipe(new Socket({ fd: descriptor, readable: true, writable: false }), options);
};

/** Reads a stream to its end and destroys it. */
export const readPipe = async (
  stream: NodeJS.ReadableStream & { destroy(): unknown },
  { maxBytes, signal }: PipeOptions,
): Promise<PipeContent> => {
  const end = (): void => {
    stream.destroy();
  };
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      size += bytes.length;
      if (size > maxBytes) return { kind: 'too large' };
      chunks.push(bytes);
    }
  } catch (cause) {
    if (signal?.aborted === true) return { kind: 'interrupted' };
    throw cause;
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
  return { kind: 'bytes', bytes: Buffer.concat(chunks) };
};
