// The product's own measures, one JSON line each, over the shared workload. Nothing is timed before
// every decision and every value equals the recorded ones.
//
//   node bench/engine.mjs [-t milliseconds] [--only W1,W2,W3,W4,W5,W7,W10] [--decisions-only]
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { linkClientCertificate } from '../engine/dist/authenticators/client-certificate/authenticate.js';
import { compileClientCertificate } from '../engine/dist/authenticators/client-certificate/compile.js';
import { linkServiceAccountToken } from '../engine/dist/authenticators/service-account-token/authenticate.js';
import { compileServiceAccountToken } from '../engine/dist/authenticators/service-account-token/compile.js';
import { accountTokenRules } from '../engine/dist/authenticators/service-account-token/token-rules.js';
import { compileExpression } from '../engine/dist/cel/compile-expression.js';
import {
  compile,
  link,
  newestRelease,
  secret,
  settingsFor,
  sourceFile,
} from '../engine/dist/doors/index.js';
import { nodePorts } from '../engine/dist/doors/node.js';
import { defaultGates } from '../engine/dist/model/feature-gates.js';
import { nodePrivateKeys } from '../engine/dist/node/private-keys.js';
import { tokenCache } from '../engine/dist/runtime/token-cache.js';
import { accountKeys, readAccountKeys } from '../engine/dist/signed-token/account-keys.js';
import { arg, emit, json, load, MS, timed, WORKLOAD, warmUp } from './peers/node/lib.mjs';

const peer = { peer: 'authgraph' };
const wanted = new Set(String(arg('--only', 'W1,W2,W3,W4,W5,W7,W10')).split(','));
const decisionsOnly = process.argv.includes('--decisions-only');
const { issuers, tokens, invalid } = load();
const expected = readFileSync(join(WORKLOAD, 'expected.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const sourceOf = (name) => {
  const text = readFileSync(join(WORKLOAD, 'configs', name), 'utf8');
  // The recorded decisions name extra keys under the domain of Kubernetes.
  return sourceFile(
    name,
    text.replace('apiserver.config.platform.io/', 'apiserver.config.k8s.io/'),
  );
};
const compileFile = (name) => {
  const { graph, diagnostics } = compile({
    source: sourceOf(name),
    settings: settingsFor(newestRelease),
  });
  if (graph === undefined) throw new Error(`${name}: ${JSON.stringify(diagnostics, null, 1)}`);
  return graph;
};

/** Serves discovery and key sets from memory, so that only decisions are measured. */
const pages = new Map();
for (const { url, jwks } of issuers) {
  const base = url.replace(/\/$/, '');
  pages.set(`${base}/.well-known/openid-configuration`, { issuer: url, jwks_uri: `${base}/keys` });
  pages.set(`${base}/keys`, jwks);
}
const http = {
  get: async ({ url }) => ({
    status: pages.has(url) ? 200 : 404,
    statusText: pages.has(url) ? '200 OK' : '404 Not Found',
    headers: new Map([
      ['content-type', 'application/json'],
      ['cache-control', 'max-age=86400'],
    ]),
    body: new TextEncoder().encode(JSON.stringify(pages.get(url) ?? {})),
  }),
};
const waiter = new AbortController();
const { signal } = waiter;
const linked = async (name, tokenCache) => {
  const ports = { ...nodePorts({}), http };
  const graph = link(compileFile(name), ports, {
    mode: 'product',
    jwksRefetch: 'throttled',
    tokenCache,
  });
  await graph.waitForDiscovery(signal);
  return graph;
};
const requestOf = (token) => ({ path: '/', token: secret(token), audiences: [] });

const canonical = ({ username, uid, groups, extra }) =>
  JSON.stringify({ username, uid: uid ?? '', groups, extra: Object.entries(extra ?? {}).sort() });
const canonicalOurs = ({ username, uid, groups, extra }) =>
  canonical({ username, uid, groups, extra: Object.fromEntries(extra) });

/** Compares all 2,000 + 200 decisions with the recorded ones. */
const checkDecisions = async (graph) => {
  let right = 0;
  const all = [...tokens, ...invalid];
  for (const [index, { token }] of all.entries()) {
    const decision = await graph.authenticate(requestOf(token), signal);
    const { authenticated, user } = expected[index];
    if (!authenticated) right += decision.kind === 'accepted' ? 0 : 1;
    else
      right +=
        decision.kind === 'accepted' && canonicalOurs(decision.user) === canonical(user) ? 1 : 0;
  }
  emit('W2', 'decisions-equal-to-recorded', `of ${all.length}`, right, peer);
  if (right !== all.length)
    throw new Error(`${all.length - right} decisions differ from the recorded ones`);
};

/** Plain JSON of a value, as the recorded values are written. */
const plain = (value) => {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  return value;
};
const expressionRuns = () => {
  const want = json('cel-expected.json');
  const runs = json('cel.json').map(({ variable, expression, input }, index) => {
    const { program, serverError } = compileExpression({
      text: expression,
      environment: variable,
      result: 'any',
      release: newestRelease,
    });
    if (program === undefined) throw new Error(`${expression}: ${serverError?.detail}`);
    const { value, error } = program.evaluate(input);
    if (error !== undefined || JSON.stringify(plain(value)) !== JSON.stringify(want[index])) {
      throw new Error(
        `${expression}: ${error ?? JSON.stringify(plain(value))}, recorded ${JSON.stringify(want[index])}`,
      );
    }
    return () => program.evaluate(input);
  });
  emit('W1', 'values-equal-to-recorded', `of ${runs.length}`, runs.length, peer);
  return runs;
};

/** Measures like `timed`, and awaits the result if it is a promise. */
const timedMixed = async (id, variant, count, work) => {
  let index = 0;
  const spin = async (milliseconds) => {
    const started = process.hrtime.bigint();
    const cpuBefore = process.cpuUsage();
    const end = started + BigInt(Math.round(milliseconds * 1e6));
    let done = 0;
    let now = started;
    do {
      for (let step = 0; step < 16; step += 1) {
        const result = work(index);
        if (result instanceof Promise) await result;
        index = index + 1 === count ? 0 : index + 1;
      }
      done += 16;
      now = process.hrtime.bigint();
    } while (now < end);
    const { user, system } = process.cpuUsage(cpuBefore);
    return { wall: Number(now - started) / done, cpu: ((user + system) * 1000) / done };
  };
  await spin(warmUp(id));
  const slices = [];
  for (let slice = 0; slice < 5; slice += 1) slices.push(await spin(MS / 5));
  const middle = (key) => slices.map((slice) => slice[key]).sort((a, b) => a - b)[2];
  const best = Math.min(...slices.map(({ wall }) => wall));
  emit(id, variant, 'ns/op', middle('wall'), { best, cpuNsPerOp: middle('cpu'), ...peer });
};

const measureExpressions = (runs) => {
  for (const [index, run] of runs.entries()) {
    timed('W1', `expression-${String(index).padStart(2, '0')}`, 1, run, peer);
  }
  timed('W1', 'set-average', runs.length, (index) => runs[index](), peer);
};

const measureCold = async (graph) => {
  const decide = (list) => (index) => graph.authenticateFor(requestOf(list[index].token), waiter);
  await timedMixed('W2', 'mixed-64', tokens.length, decide(tokens));
  for (const alg of ['RS256', 'ES256']) {
    const some = tokens.filter((token) => token.alg === alg);
    await timedMixed('W2', `${alg}-64`, some.length, decide(some));
  }
  await timedMixed('W2', 'invalid-64', invalid.length, decide(invalid));
  const one = await linked('00-github-actions.yaml', 'off');
  const own = tokens.filter(({ issuer }) => issuer === 0);
  await timedMixed('W2', 'RS256-1-authenticator', own.length, (index) =>
    one.authenticateFor(requestOf(own[index].token), waiter),
  );
  await one.close();
};

const measureCached = async () => {
  const graph = await linked('scale-64.yaml', 'on');
  // New strings, like those from a socket.
  const raw = tokens.map(({ token }) => Buffer.from(token));
  const connections = tokens.map(() => graph.connection());
  const fill = async (ask) => {
    for (const index of raw.keys()) await ask(index);
  };
  const hit = (index) => graph.authenticateFor(requestOf(raw[index].latin1Slice()), waiter);
  const again = (index) => connections[index](requestOf(raw[index].latin1Slice()), waiter);
  await fill(hit);
  timed('W3', 'hit', raw.length, hit, peer);
  await fill(again);
  timed('W3', 'hit-same-connection', raw.length, again, peer);
  await graph.close();
};

/** 100 clients; every request verifies its certificate against the current time and authorities. */
const measureCertificates = () => {
  const { ca, certs } = json('certs.json');
  const ports = nodePorts({});
  const compiled = compileClientCertificate(
    { caFile: 'ca.crt', bytes: new TextEncoder().encode(ca) },
    { gates: defaultGates(newestRelease), apiDomain: 'k8s.io' },
  );
  if (compiled.kind === 'failed') throw new Error(compiled.error);
  const module = linkClientCertificate(compiled.node, ports, compiled.material);
  const ders = certs.map((pem) => Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64'));
  const connection = (der) => ({
    path: '/',
    token: undefined,
    audiences: [],
    certificates: { chain: [der] },
  });
  const kept = ders.map(connection);
  const right = kept.filter(
    (request) => module.authenticate(request, waiter).kind === 'accepted',
  ).length;
  emit('W4', 'accepted', `of ${kept.length}`, right, peer);
  if (right !== kept.length) throw new Error(`${kept.length - right} certificates are refused`);
  if (decisionsOnly) return;
  timed(
    'W4',
    'kept-connection',
    kept.length,
    (index) => module.authenticate(kept[index], waiter),
    peer,
  );
  timed(
    'W4',
    'new-connection',
    ders.length,
    (index) => module.authenticate(connection(ders[index]), waiter),
    peer,
  );
};

/** 500 tokens of pods; account and pod of each are looked up in a local view. */
const measureServiceAccounts = () => {
  const lines = readFileSync(join(WORKLOAD, 'tokens-serviceaccount.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const own = lines.map((line) => JSON.parse(line).token);
  const ports = nodePorts({});
  const jwk = json('serviceaccount-jwk.json');
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const text = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const privateKeys = nodePrivateKeys();
  const reading = readAccountKeys([{ path: 'sa.pub', text }], { ...ports, privateKeys });
  if (reading.kind === 'error') throw new Error(reading.error);
  // The workload names its key by the thumbprint of RFC 7638.
  const keys = accountKeys(reading.keys.all.map((key) => ({ ...key, keyId: jwk.kid })));
  // UIDs of the workload are random: equal names of two tokens are two objects. The peer's look-up is
  // switched off, so this view has each answer at hand: what the module does with it is measured.
  const found = (namespace, { name, uid }) => {
    const metadata = new Map(Object.entries({ name, namespace, uid }));
    return { kind: 'found', object: new Map([['metadata', metadata]]) };
  };
  const accounts = [];
  const pods = [];
  for (const token of own) {
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    const { namespace, serviceaccount, pod } = claims['platform.io'];
    accounts.push(found(namespace, serviceaccount));
    pods.push(found(namespace, pod));
  }
  let current = 0;
  const answerTo = ({ resource }) => (resource === 'serviceaccounts' ? accounts : pods)[current];
  const nameOf = (metadata) => `${metadata.get('namespace')}/${metadata.get('name')}`;
  let find = (key) => {
    const answer = answerTo(key);
    if (nameOf(answer.object.get('metadata')) !== `${key.namespace}/${key.name}`) {
      throw new Error(`${key.resource} ${key.namespace}/${key.name} is not what the token names`);
    }
    return answer;
  };
  const view = { find: (key) => find(key) };
  const issuers = ['https://platform.default.svc'];
  const rules = accountTokenRules(defaultGates(newestRelease));
  const node = compileServiceAccountToken({ issuers, rules }, issuers, keys);
  const module = linkServiceAccountToken(node, ports, {
    keys,
    objects: view,
    mode: 'product',
    apiDomain: 'platform.io',
  });
  const decide = (index) => {
    current = index;
    return module.authenticate(requestOf(own[index]), waiter);
  };
  const right = own.filter((_, index) => decide(index).kind === 'accepted').length;
  emit('W5', 'accepted', `of ${own.length}`, right, peer);
  if (right !== own.length) throw new Error(`${own.length - right} tokens are refused`);
  // The lookups have been compared with the expected objects.
  find = answerTo;
  if (!decisionsOnly) timed('W5', 'verify+claims+objects', own.length, decide, peer);
};

const measureCompile = () => {
  for (const size of [1, 2, 4, 8, 16, 32, 64]) {
    const source = sourceOf(`scale-${String(size).padStart(2, '0')}.yaml`);
    const times = [1, 2, 3, 4, 5].map(() => {
      const before = process.cpuUsage();
      const { graph } = compile({ source, settings: settingsFor(newestRelease) });
      if (graph === undefined) throw new Error('the workload does not compile');
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    emit('W7', `decode+validate+compile-${size}`, 'ms cpu', times.sort((a, b) => a - b)[2], peer);
  }
};

/** Decisions about 100,000 tokens of 1.2 KB, and then about a million: the cache keeps what its bound allows. */
const measureMemory = () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const used = () => {
    collect();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const ports = nodePorts({});
  const cache = tokenCache(ports, { keyPrefix: 'bench', successTtlMs: 36_000_000 });
  const padding = 'x'.repeat(1200);
  // New strings, like those from a socket and a token.
  const text = (value) => Buffer.from(value).latin1Slice();
  const decide = (token) => ({
    kind: 'accepted',
    by: 'jwt',
    audiences: [],
    user: {
      username: text(`kc:${token.slice(-20)}`),
      uid: '9b1d7a52-0000-4000-a000-000000000000',
      groups: [
        text(`a-${token.slice(-8)}`),
        'b-dev',
        'c-viewers',
        'd-oncall',
        'system:authenticated',
      ],
      extra: new Map([
        ['x.example/session', [text(token.slice(-16))]],
        ['x.example/roles', ['edit']],
      ]),
    },
  });
  const before = used();
  let next = 0;
  for (const [variant, count] of [
    ['100k-inserted', 100_000],
    ['1M-inserted', 1_000_000],
  ]) {
    for (; next < count; next += 1) {
      const token = text(padding + String(next).padStart(32, '0'));
      cache.decide({ token, audiences: [] }, () => decide(token), waiter);
    }
    emit('W10', variant, 'MiB', (used() - before) / 1_048_576, { kept: cache.size, ...peer });
  }
};

if (wanted.has('W1')) {
  const runs = expressionRuns();
  if (!decisionsOnly) measureExpressions(runs);
}
if (wanted.has('W2') || wanted.has('W3')) {
  const cold = await linked('scale-64.yaml', 'off');
  await checkDecisions(cold);
  if (wanted.has('W2') && !decisionsOnly) await measureCold(cold);
  await cold.close();
  if (wanted.has('W3') && !decisionsOnly) await measureCached();
}
if (wanted.has('W4')) measureCertificates();
if (wanted.has('W5')) measureServiceAccounts();
if (wanted.has('W7') && !decisionsOnly) measureCompile();
if (wanted.has('W10') && !decisionsOnly) measureMemory();
