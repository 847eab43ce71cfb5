// One HTTP/2 connection that asks one thing after the other and costs its own process little: frames
// are written and read by hand, the header fields that stay are sent once and named by their index
// afterwards, as other clients do.
import { connect } from 'node:tls';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const type = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, windowUpdate: 8 };
const endStream = 1;
const endHeaders = 4;
const acknowledged = 1;

const frame = (kind, flags, stream, payload) => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = kind;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};

/** A number of HPACK behind the bits of a first byte. */
const number = (bits, prefix, value) => {
  const most = 2 ** prefix - 1;
  if (value < most) return [bits | value];
  const bytes = [bits | most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
};
const text = (value) =>
  Buffer.concat([Buffer.from(number(0, 7, value.length)), Buffer.from(value)]);
const literal = (bits, name, value) =>
  Buffer.concat([Buffer.from([bits]), text(name), text(value)]);
const withIndexing = 0x40;
const withoutIndexing = 0;
/** The first place behind the static table. */
const firstDynamic = 62;

/** Settles when the connection can be asked. `head`: fields that all requests have. */
export const openConnection = ({ port, authority, head }) =>
  new Promise((resolve, reject) => {
    const fields = Object.entries(head);
    const first = Buffer.concat(fields.map(([name, value]) => literal(withIndexing, name, value)));
    const later = Buffer.from(
      fields.flatMap((_, place) => number(0x80, 7, firstDynamic + fields.length - 1 - place)),
    );
    let stream = 1;
    let waiting;
    let rest = Buffer.alloc(0);
    const socket = connect({ port, host: '127.0.0.1', ca: authority, ALPNProtocols: ['h2'] });
    socket.setNoDelay(true);
    const settle = (bytes) => {
      const { done } = waiting;
      waiting = undefined;
      done(bytes);
    };
    const onFrame = (kind, flags, of, payload) => {
      if (kind === type.data || kind === type.headers) {
        if (waiting === undefined || of !== waiting.stream) return;
        if (kind === type.data) waiting.parts.push(payload);
        if ((flags & endStream) !== 0) settle(waiting.parts);
        return;
      }
      if (kind === type.settings && (flags & acknowledged) === 0) {
        socket.write(frame(type.settings, acknowledged, 0, Buffer.alloc(0)));
      }
      if (kind === type.ping && (flags & acknowledged) === 0) {
        socket.write(frame(type.ping, acknowledged, 0, payload));
      }
      if (kind === type.reset || kind === type.goAway) {
        waiting?.fail(
          new Error(`the server ended the ${kind === type.reset ? 'stream' : 'connection'}`),
        );
      }
    };
    socket.on('data', (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      while (rest.length - at >= 9) {
        const length = rest.readUIntBE(at, 3);
        if (rest.length - at < 9 + length) break;
        const of = rest.readUInt32BE(at + 5);
        onFrame(rest[at + 3], rest[at + 4], of, rest.subarray(at + 9, at + 9 + length));
        at += 9 + length;
      }
      rest = rest.subarray(at);
    });
    const fail = (error) => (waiting === undefined ? reject(error) : waiting.fail(error));
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the connection is closed')));
    socket.on('secureConnect', () => {
      const wide = Buffer.from([0, 2, 0, 0, 0, 0, 0, 4, 0x7f, 0xff, 0xff, 0xff]);
      const more = Buffer.from([0x7f, 0xff, 0, 0]);
      socket.write(
        Buffer.concat([
          preface,
          frame(type.settings, 0, 0, wide),
          frame(type.windowUpdate, 0, 0, more),
        ]),
      );
      resolve({
        /** The parts of the answer's body. */
        ask: (body) =>
          new Promise((done, failed) => {
            const block = Buffer.concat([
              stream === 1 ? first : later,
              literal(withoutIndexing, 'content-length', String(body.length)),
            ]);
            waiting = { stream, parts: [], done, fail: failed };
            socket.write(
              Buffer.concat([
                frame(type.headers, endHeaders, stream, block),
                frame(type.data, endStream, stream, body),
              ]),
            );
            stream += 2;
          }),
        close: () => socket.removeAllListeners('close').destroy(),
      });
    });
  });
