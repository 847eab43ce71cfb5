/**
 * Sends malformed requests to a complete server and checks five properties: it does not crash, it
 * responds or closes the connection, it never returns 500, 502, 503 or 504, its memory does not
 * grow, and no request is authenticated without a credential.
 *
 *   node test/fuzz/front.ts --seconds 600 [--seed 1] [--requests 100000]
 *
 * Each violation is printed as a JSON line with the bytes; the last line is a summary. The exit
 * status is 1 if there are violations.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeCert } from '../attacks/lib/der.mjs';
import { connect, exchange, type Target } from '../attacks/lib/net.mjs';
import {
  flags,
  frame,
  frameTypes,
  headerBlock,
  preface,
  settingsFrame,
} from '../support/http2-frames.ts';
import { wholeServer } from '../support/whole-server.ts';
import {
  brokenBytes,
  type Field,
  leak,
  malformedFields,
  malformedFrames,
  malformedRequest,
} from './malformed-requests.ts';
import { randomOf } from './random.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    requests: { type: 'string', default: '10000000' },
  },
});

const random = randomOf(Number(options.seed));
const server = await wholeServer({ logLevel: 'warn' });
const target: Target = { host: '127.0.0.1', port: server.port, ca: server.authorityPem };
const stranger = makeCert({
  subject: [
    ['O', 'system:masters'],
    ['CN', 'carol'],
  ],
});
const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const findings: object[] = [];
const counts = new Map<string, number>();
const count = (name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};
const report = (what: string, bytes: Buffer, more: object): void => {
  const finding = { what, bytes: bytes.toString('base64'), ...more };
  findings.push(finding);
  console.log(JSON.stringify(finding));
};

/** Matches the paths on which the configuration allows anonymous requests. */
const openPath = /^(?:https?:\/\/[^/]*)?\/(?:livez|readyz|healthz)/i;

const clients = [
  { name: 'no certificate', shown: {} },
  { name: 'unknown certificate', shown: { cert: stranger.pem, key: stranger.keyPem } },
  {
    name: 'carol',
    shown: {
      cert: server.certificates.client.pem,
      key: server.certificates.client.keyPem,
    },
  },
  {
    name: 'front',
    shown: { cert: server.certificates.proxy.pem, key: server.certificates.proxy.keyPem },
  },
];

const sendHttp1 = async (): Promise<void> => {
  const { name, shown } = random.pick(clients);
  const request = malformedRequest(random, review);
  const isBroken = random.chance(0.35);
  const bytes = isBroken ? brokenBytes(random, request.bytes) : request.bytes;
  const answer = await exchange(target, bytes, { ...shown, timeout: isBroken ? 600 : 8_000 });
  count(`http1 ${answer.status === 0 ? (answer.closed ? 'closed' : 'waiting') : answer.status}`);
  // Broken bytes may be the beginning of something longer.
  if (answer.status === 0 && !answer.closed && !isBroken && request.isWhole)
    report('hang', bytes, { name });
  if ([500, 502, 503, 504].includes(answer.status)) report('5xx', bytes, { name, answer });
  if (isBroken) {
    // The pieces of a broken request are unknown, but no piece is a credential.
    if (name !== 'front' && /"username":"(?!carol")/.test(answer.body)) {
      report('identity', bytes, { name, body: answer.body });
    }
    return;
  }
  const allowedNames = namesOf(name, request.fields);
  const isAnswer = answer.status >= 200 && answer.status < 300;
  // `OPTIONS *` is answered before authentication.
  const isOpen = openPath.test(request.path) || request.path === '*';
  if (isAnswer && allowedNames.length === 0 && !isOpen) {
    report('answer without credential', bytes, { name, body: answer.body.slice(0, 300) });
  }
  const [, username] =
    /User \\"(.*?)\\" cannot/.exec(answer.body) ?? /"username":"(.*?)"/.exec(answer.body) ?? [];
  if (username === undefined) return;
  count(`taken for ${allowedNames.includes(username) ? name : 'another'}`);
  const isPlain = allowedNames.every((each) => /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(each));
  if (isPlain && ![...allowedNames, 'system:anonymous'].includes(username)) {
    report('identity', bytes, { name, mayBe: allowedNames, body: answer.body });
  }
};

/** Returns the usernames that the request may have; the first header with a name counts. */
const namesOf = (name: string, fields: readonly Field[]): readonly string[] => {
  if (name === 'carol') return ['carol'];
  if (name !== 'front') return [];
  const first = (wanted: string): string =>
    fields.find((field) => field[0].toLowerCase() === wanted)?.[1].trim() ?? '';
  const user = first('x-remote-user');
  // The proxy may authenticate a member of system:masters, who may impersonate any user.
  return user === '' ? [] : [user, first('impersonate-user')].filter((each) => each !== '');
};

/** Sends arbitrary frames; the connection must end or respond. */
const sendHttp2 = async (): Promise<void> => {
  const fields = malformedFields(random, review);
  const headers = headerBlock(fields);
  const frames = random.chance(0.5)
    ? [
        frame(frameTypes.headers, {
          flags: flags.endHeaders | flags.endStream,
          stream: 1,
          payload: headers,
        }),
      ]
    : malformedFrames(random, headers);
  const allBytes = Buffer.concat([preface, settingsFrame(), ...frames]);
  const bytes = random.chance(0.2) ? brokenBytes(random, allBytes) : allBytes;
  const { name, shown } = random.pick(clients);
  const socket = await connect(target, { alpn: ['h2'], ...shown });
  const text = await new Promise<string>((resolve) => {
    let seen = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(seen);
    };
    const timer = setTimeout(finish, 400);
    socket.on('error', finish);
    socket.on('end', finish);
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1');
    });
    socket.write(bytes);
  });
  count(`http2 ${text.length > 60 ? 'answered' : 'ended'}`);
  if (/"username":"(?!carol")/.test(text) && name !== 'front') report('identity', bytes, { text });
  if (internalError.test(text)) report('internal error', bytes, { text });
};

/** Matches GOAWAY or RST_STREAM with INTERNAL_ERROR; one character per byte. */
const internalError = /\0\0\x08\x07\0\0{4}.{4}\0\0\0\x02|\0\0\x04\x03\0.{4}\0\0\0\x02/s;

/** Returns 0 if the system does not report it. */
const residentMegabytes = (): number => {
  const file = `/proc/${server.pid}/status`;
  if (!existsSync(file)) return 0;
  return (
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
  );
};

/** Returns true if the server still accepts a valid token in time. */
const control = async (): Promise<boolean> => {
  const started = Date.now();
  const request = { method: 'POST', path: review, body: '{}' };
  const good = await server.ask({ ...request, headers: bearer(server.tokens.admin) });
  return good.status === 201 && Date.now() - started < 2_000;
};
const bearer = (token: string) => ['Authorization', `Bearer ${token}`];

const started = Date.now();
const until = started + Number(options.seconds) * 1000;
const memory: number[] = [];
let sent = 0;
console.error(`front: seed ${options.seed}, ${options.seconds} s`);
while (Date.now() < until && sent < Number(options.requests) && server.running()) {
  const some = Array.from({ length: 32 }, () => (random.chance(0.75) ? sendHttp1() : sendHttp2()));
  const outcomes = await Promise.allSettled(some);
  sent += some.length;
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') count(`not sent: ${String(outcome.reason).slice(0, 60)}`);
  }
  if (sent % 960 !== 0) continue;
  if (!server.running()) break;
  memory.push(Math.round(residentMegabytes()));
  if (!(await control())) report('control', Buffer.alloc(0), { sent });
}

if (server.running()) {
  if (!(await control())) report('control', Buffer.alloc(0), { sent });
} else report('dead', Buffer.alloc(0), { output: server.output().slice(-2_000) });
/** Exceeds what a pending garbage collection may free. */
const maxGrowthMegabytes = 150;
const warm = memory[Math.floor(memory.length / 4)] ?? 0;
const grown = (memory.at(-1) ?? 0) - warm;
if (grown > maxGrowthMegabytes) report('memory', Buffer.alloc(0), { memory });
const written = `${server.output()}\n${server.decisions()}`;
if (written.includes(leak)) report('leak', Buffer.alloc(0), {});
for (const [what, secret] of server.secrets) {
  if (written.includes(secret)) report(`leak of the ${what}`, Buffer.alloc(0), {});
}
/** Like kube-apiserver, the server logs each 401 at the error level; these lines are expected. */
const unauthenticated = [
  '"message":"Unable to authenticate the request"',
  '"message":"authentication errors omitted from the log"',
];
const failures = written
  .split('\n')
  .filter((line) => line.includes('"level":"error"'))
  .filter((line) => !unauthenticated.some((message) => line.includes(message)));
for (const line of new Set(failures.map((text) => /"error":"[^"]*"/.exec(text)?.[0] ?? text))) {
  report('error in the log', Buffer.alloc(0), { line });
}
const summary = {
  seed: Number(options.seed),
  sent,
  seconds: Math.round((Date.now() - started) / 1000),
  findings: findings.length,
  megabytes: memory,
  counts: Object.fromEntries([...counts].toSorted()),
};
console.log(JSON.stringify(summary));
await server.close();
process.exit(findings.length === 0 ? 0 : 1);
