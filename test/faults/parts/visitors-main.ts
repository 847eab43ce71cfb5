/**
 * Visitors: each has its own token and sends one request, over a few connections with many streams.
 * Tokens are signed on demand, so a million of them need no memory.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { type ClientHttp2Session, connect } from 'node:http2';
import { reviewPath } from './ask.ts';
import { type Answer, answerText, checkAnswer } from './questions.ts';
import type { FromVisitors, ToVisitors, Visited } from './visitors-messages.ts';

const connections = 4;
/** Streams per connection. */
const streams = 50;
const lifetimeSeconds = 7_200;
const mostFindings = 20;

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const naming = { alg: 'ES256', kid: `visitors-${process.pid}` };
const base64url = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const head = base64url(naming);

let issuer = '';
let keep = 0;
let endsAt = 0;
const first: string[] = [];
let sessions: readonly ClientHttp2Session[] = [];

const say = (message: FromVisitors): void => {
  process.send?.(message);
};

const mint = (at: number): string => {
  const claims = {
    iss: issuer,
    aud: 'app',
    sub: `visitor-${at}`,
    jti: String(at),
    groups: ['team'],
    exp: endsAt,
  };
  const signed = `${head}.${base64url(claims)}`;
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
};

/** Signatures differ each time, so a token that is sent again has to be stored. */
const tokenOf = (at: number): string => {
  const known = first[at];
  if (known !== undefined) return known;
  const token = mint(at);
  if (at < keep) first[at] = token;
  return token;
};

const ask = (session: ClientHttp2Session, token: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': reviewPath,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    });
    let status = 0;
    let retryAfter = false;
    let body = '';
    stream.setEncoding('utf8');
    stream.on('response', (fields) => {
      status = fields[':status'] ?? 0;
      retryAfter = fields['retry-after'] !== undefined;
    });
    stream.on('data', (chunk: string) => {
      body += chunk;
    });
    stream.on('error', reject);
    stream.on('close', () => resolve({ status, body, retryAfter }));
    stream.end('{}');
  });

const open = (port: number): Promise<ClientHttp2Session> =>
  new Promise((resolve, reject) => {
    const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    session.on('error', reject);
    session.once('remoteSettings', () => resolve(session));
  });

const visit = async (from: number, count: number): Promise<Visited> => {
  let next = from;
  let right = 0;
  const findings: string[] = [];
  const find = (at: number, what: string): void => {
    if (findings.length < mostFindings) findings.push(`visitor ${at}: ${what}`);
  };
  const lane = async (session: ClientHttp2Session): Promise<void> => {
    while (next < from + count) {
      const at = next;
      next += 1;
      const question = { name: `visitor ${at}`, expected: [`i0:visitor-${at} [i0:team]`] };
      try {
        const answer = await ask(session, tokenOf(at));
        const verdict = checkAnswer(question, answer);
        if (verdict === 'right') right += 1;
        else find(at, `${verdict}, ${answerText(answer)}`);
      } catch (cause) {
        find(at, String(cause));
      }
    }
  };
  await Promise.all(
    sessions.flatMap((session) => Array.from({ length: streams }, () => lane(session))),
  );
  return { right, findings };
};

const obey = async (message: ToVisitors): Promise<void> => {
  switch (message.kind) {
    case 'start':
      ({ issuer, keep } = message);
      endsAt = Math.floor(Date.now() / 1_000) + lifetimeSeconds;
      say({
        kind: 'key',
        publicJwk: { ...publicKey.export({ format: 'jwk' }), ...naming, use: 'sig' },
      });
      return;
    case 'visit':
      if (sessions.length === 0)
        sessions = await Promise.all(Array.from({ length: connections }, () => open(message.port)));
      say({ kind: 'visited', visited: await visit(message.from, message.count) });
  }
};

process.on('message', (message) => void obey(message as ToVisitors));
process.on('disconnect', () => process.exit());
