/** Requests that no client sends: unusual names, values, targets and lengths, and broken bytes. */
import { frame, frameTypes } from '../support/http2-frames.ts';
import type { Random } from './random.ts';

/** Part of every credential that is sent; it must not appear anywhere else. */
export const leak = 'canaryOfTheFuzzer';

export interface MalformedRequest {
  readonly bytes: Buffer;
  /** The path as it is sent. */
  readonly path: string;
  readonly fields: readonly Field[];
  /** True if the request does not promise more bytes than it sends. */
  readonly isWhole: boolean;
}

/** A header in Latin-1. */
export type Field = readonly [name: string, value: string];

export const malformedRequest = (random: Random, review: string): MalformedRequest => {
  const path = targetOf(random, review);
  const method = methodOf(random);
  const body = bodyOf(random);
  const version = random.chance(0.95)
    ? 'HTTP/1.1'
    : random.pick(['HTTP/1.0', 'HTTP/1.2', 'HTTP/9.9']);
  const fields: Field[] = [
    ...(random.chance(0.97) ? [['Host', 'localhost'] as const] : []),
    ...fieldsOf(random),
    ...framingOf(random, body),
    ['Connection', 'close'],
  ];
  const head = `${method} ${path} ${version}\r\n${fields
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
  return {
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), body]),
    path,
    fields,
    isWhole: isWhole(fields, body),
  };
};

const isWhole = (fields: readonly Field[], body: Buffer): boolean => {
  const framing = fields.filter(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  const honest = ([name, value]: Field) =>
    name.toLowerCase() === 'content-length' && value === String(body.length);
  return framing.every(honest);
};

/** Returns HTTP/2 fields, including pseudo fields, in any order and number. */
export const malformedFields = (random: Random, review: string): readonly Field[] => {
  const pseudo: Field[] = [
    [':method', methodOf(random)],
    [':scheme', 'https'],
    [':authority', 'localhost'],
    [':path', targetOf(random, review)],
  ];
  const rest = fieldsOf(random).map(
    ([name, value]): Field => [random.chance(0.9) ? name.toLowerCase() : name, value],
  );
  if (random.chance(0.8)) return [...pseudo, ...rest];
  const all = [
    ...pseudo,
    ...rest,
    [random.pick([':path', ':status', ':unknown', '']), '/'] as Field,
  ];
  return all.filter(() => random.chance(0.9)).toSorted(() => random.fraction() - 0.5);
};

export const malformedFrames = (random: Random, headers: Buffer): readonly Buffer[] =>
  Array.from({ length: 1 + random.below(12) }, () => {
    if (random.chance(0.3)) {
      return frame(frameTypes.headers, {
        flags: random.pick([0, 1, 4, 5, 0x25, 0x2d]),
        stream: 1 + 2 * random.below(4),
        payload: headers,
      });
    }
    return frame(random.chance(0.9) ? random.below(10) : random.below(256), {
      flags: random.below(256),
      stream: random.below(8),
      payload: bytesOf(random, random.below(64)),
    });
  });

/** Returns the bytes with some changed, repeated, removed or inserted. */
export const brokenBytes = (random: Random, bytes: Buffer): Buffer => {
  let broken = bytes;
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const at = random.below(broken.length + 1);
    const length = random.below(12);
    const head = broken.subarray(0, at);
    const tail = broken.subarray(Math.min(at + length, broken.length));
    const middle = broken.subarray(at, at + length);
    const put = random.pick([
      bytesOf(random, length),
      Buffer.from(random.pick(fragments), 'latin1'),
      Buffer.concat([middle, middle]),
      Buffer.alloc(0),
    ]);
    broken = Buffer.concat([head, put, tail]);
  }
  return broken;
};

const methods = ['POST', 'POST', 'POST', 'GET', 'GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const unusualMethods = ['TRACE', 'CONNECT', 'post', 'PRI', 'MKCOL', 'G\u00e9T', 'X-Y', ''];
const methodOf = (random: Random): string =>
  random.pick(random.chance(0.95) ? methods : unusualMethods);

const targets = [
  ...['/', '*', '/api', '/api/v1', '/apis', '/version', '/metrics', '/openapi/v2', '/openapi/v3'],
  ...[
    '/livez',
    '/readyz?verbose',
    '/healthz/',
    '/healthz/ping',
    '//healthz',
    '/HEALTHZ',
    '/livez%2f..%2fapi',
  ],
  ...[
    '/api/v1/secrets',
    '/api/v1/namespaces/kube-system/secrets?watch=1',
    '/api/v1/namespaces/%00/secrets',
  ],
  ...[
    '/api/v1/namespaces/default/serviceaccounts/default/token',
    '/.well-known/openid-configuration',
  ],
  ...[
    '/apis/authentication.k8s.io/v1/tokenreviews',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles?limit=1',
  ],
  ...[
    'http://other.example/livez',
    'https://x/api',
    '/livez/../api/v1/secrets',
    '/livez;/api',
    '/%zz',
    '/\u00ff',
  ],
];

const targetOf = (random: Random, review: string): string => {
  if (random.chance(0.45)) return review;
  const target = random.pick(targets);
  if (random.chance(0.7)) return target;
  return `${target}${random.pick(['?', '#', '%', '%2e%2e/', '..', '?a=%', '&&', '\\', '?access_token=x', ' '])}`;
};

const names = [
  ...['Authorization', 'Authorization', 'Authorization', 'Proxy-Authorization', 'Cookie'],
  ...[
    'X-Remote-User',
    'X-Remote-Uid',
    'X-Remote-Group',
    'X-Remote-Extra-Scopes',
    'X-Remote-Extra-',
  ],
  ...[
    'Impersonate-User',
    'Impersonate-Uid',
    'Impersonate-Group',
    'Impersonate-Extra-a%2fb',
    'Impersonate-Extra-',
  ],
  ...[
    'X-Forwarded-For',
    'X-Forwarded-User',
    'Forwarded',
    'X-Real-Ip',
    'X-Original-Url',
    'X-Client-Cert',
  ],
  ...[
    'Sec-WebSocket-Protocol',
    'Upgrade',
    'Sec-WebSocket-Key',
    'Expect',
    'TE',
    'Trailer',
    'Range',
    'Accept',
  ],
  ...[
    'Accept-Encoding',
    'Content-Type',
    'Content-Encoding',
    'Audit-Id',
    'If-None-Match',
    'Keep-Alive',
    'Via',
  ],
];

const values = [
  ...[
    '',
    ' ',
    'boss',
    'system:masters',
    'system:admin',
    'carol',
    'system:anonymous',
    '1',
    '-1',
    'websocket',
  ],
  ...[
    '100-continue',
    'chunked',
    'application/json',
    'application/yaml',
    'application/vnd.kubernetes.protobuf',
  ],
  ...[
    '*/*',
    'gzip, br',
    'text/html;q=0',
    'application/json;as=Table;g=meta.k8s.io;v=v1',
    'bytes=0-',
    'null',
  ],
  ...[
    'base64url.bearer.authorization.k8s.io.',
    'base64url.bearer.authorization.k8s.io.eA, v4.channel.k8s.io',
  ],
];

const credentials = [
  ...[
    'Bearer',
    'Bearer ',
    'bearer',
    'BEARER',
    'Bearer  ',
    'Bearer\t',
    'Basic',
    'Digest',
    'Negotiate',
    'Token',
  ],
];

const fieldsOf = (random: Random): readonly Field[] => {
  const count = random.chance(0.02) ? 900 + random.below(300) : random.below(12);
  return Array.from({ length: count }, (): Field => {
    const name = random.pick(names);
    return [nameLike(random, name), valueFor(random, name)];
  });
};

/** Control bytes make most of a request invalid, so they are rare. */
const textOf = (random: Random, length: number): string => {
  const text = bytesOf(random, length).toString('latin1');
  return random.chance(0.02)
    ? text.replaceAll(/[\r\n]/g, ' ')
    : text.replaceAll(/[\u0000-\u001f\u007f]/g, 'e');
};

const nameLike = (random: Random, name: string): string => {
  if (random.chance(0.7)) return name;
  if (random.chance(0.97)) {
    return [...name]
      .map((letter) => (random.chance(0.5) ? letter.toUpperCase() : letter.toLowerCase()))
      .join('');
  }
  return random.pick([
    name.replace('-', '_'),
    `${name} `,
    ` ${name}`,
    `${name}\t`,
    name.replace('e', '\u00e9'),
    name.replace('-', '--'),
    `${name}\u0000`,
    name.slice(1),
  ]);
};

const valueFor = (random: Random, name: string): string => {
  if (/authorization/i.test(name) && random.chance(0.85)) return credentialOf(random);
  if (random.chance(0.7)) return random.pick(values);
  if (random.chance(0.1)) return 'x'.repeat(random.below(20_000));
  return bytesOf(random, random.below(40))
    .toString('latin1')
    .replaceAll(/[\r\n]/g, ' ');
};

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns an invalid credential that resembles a valid one. */
const credentialOf = (random: Random): string => {
  const claims = {
    iss: 'https://accounts.example',
    sub: 'system:serviceaccount:a:b',
    aud: 'app',
    exp: 4e9,
  };
  const text = random.pick([
    leak,
    `${encoded({ alg: 'none', [leak]: 1 })}.${encoded(claims)}.`,
    `${encoded({ alg: 'ES256', kid: 'k1' })}.${encoded({ ...claims, [leak]: 1 })}.${leak}`,
    `${encoded({ alg: 'RS256' })}.${encoded(bytesOf(random, 12).toString('latin1'))}.${leak}`,
    `abcdef.${leak.slice(0, 16).toLowerCase()}`,
    `${leak}${textOf(random, 20)}`,
    `${'.'.repeat(random.below(3_000))}${leak}`,
  ]);
  return `${random.pick(credentials)} ${text}`;
};

const framingOf = (random: Random, body: Buffer): readonly Field[] => {
  if (random.chance(0.94))
    return body.length === 0 ? [] : [['Content-Length', String(body.length)]];
  return [
    random.pick<Field>([
      ['Content-Length', String(body.length + 1)],
      ['Content-Length', '+1'],
      ['Content-Length', '0x10'],
      ['Content-Length', '99999999999999999999'],
      ['Transfer-Encoding', 'chunked'],
      ['Transfer-Encoding', 'xchunked'],
      ['Transfer-Encoding', 'gzip, chunked'],
      ['Content-Length', '0'],
    ]),
    ...(random.chance(0.3) ? [['Content-Length', String(body.length)] as const] : []),
  ];
};

const bodies = [
  ...[
    '',
    '',
    '{}',
    '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}',
    'null',
    '[]',
    '"x"',
  ],
  ...[
    '{"__proto__":{"a":1}}',
    '{"kind":1}',
    '{"spec":{"token":"x"}}',
    'a: &a [*a]',
    '\u0000k8s',
    '5\r\nhello\r\n0\r\n\r\n',
  ],
];

const bodyOf = (random: Random): Buffer => {
  if (random.chance(0.75)) return Buffer.from(random.pick(bodies), 'latin1');
  if (random.chance(0.2)) return Buffer.from('['.repeat(random.below(50_000)));
  return bytesOf(random, random.below(3_000));
};

const bytesOf = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random.below(256)));

const fragments = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    '\u0000',
    ':',
    ' ',
    '\t',
    ' \r\n ',
    'HTTP/1.1',
    '\u00ff\u00fe',
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Content-Length: 5\r\n',
    'X-Remote-User: boss\r\n',
    'GET / HTTP/1.1\r\n',
  ],
];
