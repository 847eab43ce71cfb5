// One HTTP/2 connection that sends one request after the other at low cost to its own process: repeated
// header fields are sent once and then by their index, as other clients do.
import { connectHttp2 } from '../test/support/http2-connection.ts';
import {
  dataFrame,
  flags,
  frame,
  frameTypes,
  literalField,
  preface,
  prefixed,
  settingIds,
  settingsFrame,
  windowUpdate,
} from '../test/support/http2-frames.ts';

/** The first index after the static table. */
const firstDynamic = 62;
const widest = 2 ** 31 - 1;
const firstWindow = 65_535;

/** Resolves when the connection is ready. `head`: fields of all requests. */
export const openConnection = async ({ port, authority, head }) => {
  const fields = Object.entries(head);
  const first = Buffer.concat(fields.map((field) => literalField(field, { isIndexed: true })));
  const later = Buffer.concat(
    fields.map((_, place) => prefixed(0x80, 7, firstDynamic + fields.length - 1 - place)),
  );
  const connection = await connectHttp2({ port, authorityPem: authority });
  let stream = 1;
  let waiting;
  const fail = (why) => waiting?.fail(new Error(`the server ended the ${why}`));
  connection.onFrame((came) => {
    if (came.type === frameTypes.rstStream) fail('stream');
    if (came.type === frameTypes.goaway) fail('connection');
    const isAnswer = came.type === frameTypes.data || came.type === frameTypes.headers;
    if (!isAnswer || came.stream !== waiting?.stream) return;
    if (came.type === frameTypes.data) waiting.parts.push(came.payload);
    if ((came.flags & flags.endStream) === 0) return;
    const { done, parts } = waiting;
    waiting = undefined;
    done(parts);
  });
  const onClose = () => fail('connection');
  connection.socket.on('close', onClose);
  connection.send(
    preface,
    settingsFrame([[settingIds.initialWindowSize, widest]]),
    windowUpdate(0, widest - firstWindow),
  );
  return {
    /** The chunks of the response body. */
    ask: (body) =>
      new Promise((done, failed) => {
        const payload = Buffer.concat([
          stream === 1 ? first : later,
          literalField(['content-length', String(body.length)]),
        ]);
        waiting = { stream, parts: [], done, fail: failed };
        connection.send(
          frame(frameTypes.headers, { flags: flags.endHeaders, stream, payload }),
          dataFrame(stream, body),
        );
        stream += 2;
      }),
    close: () => connection.socket.off('close', onClose).destroy(),
  };
};
