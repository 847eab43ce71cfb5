/**
 * The demo: the commands that it prints give the responses that it prints, before and after an
 * edit.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type NodeHttpClient, nodeHttpClient } from '../../../engine/src/node/http-client.ts';
import { nodeSignatures } from '../../../engine/src/node/signatures.ts';
import {
  type Demo,
  type DemoEvent,
  rejectionReason,
  startDemo,
} from '../../../engine/src/server/demo/demo.ts';
import { demoFilePaths } from '../../../engine/src/server/demo/demo-files.ts';
import { startDemoIssuer } from '../../../engine/src/server/demo/issuer.ts';
import {
  demoIssuerHost,
  demoIssuerNames,
  demoIssuerUrl,
  demoPeople,
} from '../../../engine/src/server/demo/people.ts';
import {
  commandsOf,
  renderChanges,
  renderWelcome,
  welcomeJson,
} from '../../../engine/src/server/demo/screen.ts';
import { createSelfSigned } from '../../../engine/src/server/tls/self-signed.ts';
import { listenOnLoopback } from '../../support/loopback-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const sample = readFileSync(
  join(import.meta.dirname, '../../../samples/demo/authentication.yaml'),
  'utf8',
);

/** Recorded from kube-apiserver's code, with the group that it adds afterwards. */
const expectedAnswers = new Map([
  [
    'ada',
    {
      status: 201,
      username: 'team:ada',
      groups: ['team:developers', 'team:on-call', 'system:authenticated'],
    },
  ],
  [
    'olu',
    {
      status: 201,
      username: 'olu@example.com',
      groups: ['staff:operators', 'system:authenticated'],
    },
  ],
  ['max', { status: 401, because: 'contractors have no access here' }],
]);

describe('the issuer', () => {
  const start = async () => {
    const certificate = createSelfSigned({
      hosts: demoIssuerNames.map(demoIssuerHost),
      now: Date.now(),
    });
    const issuer = await startDemoIssuer({
      certificate: certificate.certificatePem,
      key: certificate.privateKeyPem,
    });
    const client = nodeHttpClient({
      extraRoots: [certificate.authorityPem],
      loopbackPorts: new Map(demoIssuerNames.map((name) => [demoIssuerHost(name), issuer.port])),
    });
    return { issuer, client };
  };
  const getJson = async (client: NodeHttpClient, url: string) => {
    const { status, body } = await client.get({ url, timeoutMs: 5_000, maxBytes: 100_000 });
    expect(status).toBe(200);
    return JSON.parse(new TextDecoder().decode(body));
  };
  const part = (token: string, at: number) =>
    JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString());
  const keyOf = async (client: NodeHttpClient, token: string, issuerUrl: string) => {
    const discovery = await getJson(client, `${issuerUrl}/.well-known/openid-configuration`);
    expect(discovery.issuer).toBe(issuerUrl);
    const { keys } = await getJson(client, discovery.jwks_uri);
    const { kid, alg } = part(token, 0);
    const jwk = keys.find((key: { kid: string }) => key.kid === kid);
    if (jwk === undefined) return 'no such key';
    const [header, payload, signature = ''] = token.split('.');
    return await nodeSignatures()
      .prepare(jwk)
      .verify(alg, `${header}.${payload}`, Buffer.from(signature, 'base64url'));
  };

  test.each(demoPeople)('signs for $name with a published key', async (person) => {
    const { issuer, client } = await start();
    const url = demoIssuerUrl(person.issuer);
    const token = await issuer.tokenFor(person);
    expect(await keyOf(client, token, url)).toBe(true);
    const claims = part(token, 1);
    expect(claims).toMatchObject({ ...person.claims, iss: url, aud: 'authgraph-demo' });
    expect(claims.exp - claims.iat).toBe(3600);
    await Promise.all([issuer.close(), client.close()]);
  });

  test('keeps the previous key for one rotation', async () => {
    const { issuer, client } = await start();
    const [person] = demoPeople;
    if (person === undefined) throw new Error('no such person');
    const token = await issuer.tokenFor(person);
    await issuer.rotateKeys();
    expect(await keyOf(client, await issuer.tokenFor(person), demoIssuerUrl(person.issuer))).toBe(
      true,
    );
    expect(await keyOf(client, token, demoIssuerUrl(person.issuer))).toBe(true);
    await issuer.rotateKeys();
    expect(await keyOf(client, token, demoIssuerUrl(person.issuer))).toBe('no such key');
    await Promise.all([issuer.close(), client.close()]);
  });

  test('serves nothing else', async () => {
    const { issuer, client } = await start();
    for (const path of ['/', '/token', '/keys/', '/__proto__', '/.well-known/jwks.json']) {
      const url = `https://team.demo.localhost${path}`;
      expect((await client.get({ url, timeoutMs: 5_000, maxBytes: 1_000 })).status).toBe(404);
    }
    await Promise.all([issuer.close(), client.close()]);
  });
});

describe('the demo', () => {
  let folder = '';
  let demo: Demo | undefined;
  beforeEach(() => {
    folder = temporaryFolder(onTestFinished).path;
  });
  afterEach(async () => {
    await demo?.close();
    demo = undefined;
  });

  const start = async (text = sample, port = 0) => {
    const configuration = join(folder, 'authentication.yaml');
    writeFileSync(configuration, text);
    const events: DemoEvent[] = [];
    let wake: () => void = () => {};
    const started = await startDemo({
      configuration,
      shownConfiguration: 'authentication.yaml',
      port,
      onEvent(event) {
        events.push(event);
        wake();
      },
    });
    if (started.kind !== 'demo') return { started, events };
    demo = started.demo;
    const until = async (kind: string): Promise<DemoEvent> => {
      for (;;) {
        const found = events.find(
          (event) => event.kind === kind || (event.kind === 'reload' && event.event.kind === kind),
        );
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    };
    const edit = (from: string, to: string) => {
      const before = readFileSync(configuration, 'utf8');
      expect(before).toContain(from);
      events.length = 0;
      writeFileSync(configuration, before.replace(from, to));
    };
    return { started, demo: started.demo, events, until, edit };
  };

  /** Runs a printed command in a shell. */
  const paste = (command: string): Promise<string> =>
    new Promise((resolve) => {
      execFile('sh', ['-c', command], { encoding: 'utf8' }, (_failure, stdout, stderr) =>
        resolve(stdout || stderr),
      );
    });
  const hasCurl = spawnSync('curl', ['--version']).status === 0;

  test('prints the decision about each person', async () => {
    const { demo } = await start();
    expect(demo?.answers).toEqual(expectedAnswers);
  });

  test.skipIf(!hasCurl)('the printed commands give the printed answers', async () => {
    const { demo, events } = await start();
    if (demo === undefined) throw new Error('no demo');
    for (const person of demoPeople) {
      const answer = demo.answers.get(person.name);
      const printed = renderWelcome(demo.facts, demo.answers, { color: false });
      const command = commandsOf(demo.facts, person).curl.join(' \\\n    ');
      expect(printed).toContain(command);
      const body = JSON.parse(await paste(command));
      if (answer?.status === 201) {
        expect(body.status.userInfo.username).toBe(answer.username);
        expect(body.status.userInfo.groups).toEqual(answer.groups);
      } else {
        expect(body).toMatchObject({ kind: 'Status', code: 401 });
      }
    }
    const decisions = events.flatMap((event) => (event.kind === 'decision' ? [event.fields] : []));
    expect(decisions.map(({ status }) => status)).toEqual([201, 201, 401]);
    expect(JSON.stringify(decisions)).not.toMatch(/eyJ/);
  });

  test('an edit changes the answers, and prints whose', async () => {
    const { demo, until, edit } = await start();
    edit?.('claims.?contractor.orValue(false) == false', 'claims.sub != "2001"');
    const event = await until?.('answers');
    if (event?.kind !== 'answers' || demo === undefined) throw new Error('no answers');
    expect(event.before).toEqual(expectedAnswers);
    expect(event.after.get('max')).toMatchObject({ status: 201, username: 'max@example.com' });
    expect(event.after.get('olu')).toMatchObject({ status: 401 });
    const changes = renderChanges(demo.facts.people, event.before, event.after, { color: false });
    expect(changes).toMatch(/olu +olu@example\.com, in staff:operators +→ +contractors/);
    expect(changes).toMatch(/max +contractors have no access here +→ +max@example\.com/);
    expect(changes).not.toContain('ada');
  });

  test('prints the location of an error in a broken edit; the answers stay the same', async () => {
    const { until, edit, events } = await start();
    edit?.('claims.sub\n', 'claims.sub +\n');
    const event = await until?.('refused');
    if (event?.kind !== 'reload' || event.event.kind !== 'refused') throw new Error('not refused');
    const { source, diagnostics } = event.event;
    expect(source.uri).toBe('authentication.yaml');
    const [first] = diagnostics;
    const line = source.lineText(source.positionAt(first?.span.start ?? 0).line);
    expect(line).toContain('claims.sub +');
    expect(events.some(({ kind }) => kind === 'answers')).toBe(false);
    edit?.('claims.sub +\n', 'claims.sub\n');
    await until?.('restored');
  });

  test('uses new keys', async () => {
    const { demo, until, edit } = await start();
    await demo?.issuer.rotateKeys();
    edit?.('  conditions:\n', '  conditions: # the same\n');
    const event = await until?.('answers');
    expect(event).toMatchObject({ before: expectedAnswers, after: expectedAnswers });
  });

  test('rejects a file that is broken from the start', async () => {
    const { started } = await start(sample.replace('kind: Auth', 'kin: Auth'));
    expect(started.kind).toBe('refused');
  });

  test('uses another port if the preferred one is taken', async () => {
    const other = await listenOnLoopback(createServer());
    const { demo } = await start(sample, other.port);
    expect(demo?.usesFreePort).toBe(true);
    expect(demo?.facts.url).not.toContain(`:${other.port}`);
    await other.close();
  });

  test('its files are private, and deleted at the end', async () => {
    const { demo: running } = await start();
    if (running === undefined) throw new Error('no demo');
    const { folder: handout } = running.facts;
    const paths = demoFilePaths(handout);
    expect(statSync(handout).mode & 0o777).toBe(0o700);
    for (const path of [paths.token('ada'), paths.kubeconfig, paths.certificateAuthority]) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    await running.close();
    demo = undefined;
    expect(existsSync(handout)).toBe(false);
  });
});

describe('the screen', () => {
  const facts = {
    url: 'https://127.0.0.1:8443',
    apiDomain: 'platform.io',
    configuration: 'samples/demo/authentication.yaml',
    folder: '/tmp/with space',
    people: demoPeople,
  };
  const answers = new Map(
    demoPeople.map(({ name }) => [name, { status: 401 as const, because: 'closed' }]),
  );

  test('uses color only when enabled', () => {
    expect(renderWelcome(facts, answers, { color: false })).not.toContain('\u001b');
    const colored = renderWelcome(facts, answers, { color: true });
    expect(colored).toContain('\u001b[');
    const plain = colored.replaceAll(/\u001b\[\d+m/g, '');
    expect(plain).toBe(renderWelcome(facts, answers, { color: false }));
  });

  test('quotes a path with a space', () => {
    expect(renderWelcome(facts, answers, { color: false })).toContain(
      "--cacert '/tmp/with space/ca.pem'",
    );
  });

  test('prints one line of JSON, without a token', () => {
    const text = welcomeJson(facts, answers);
    expect(text.split('\n').length).toBe(2);
    const { people } = JSON.parse(text);
    expect(people.map(({ name }: { name: string }) => name)).toEqual(['ada', 'olu', 'max']);
    expect(text).not.toContain('eyJ');
  });

  test('reports a reload that changes nothing', () => {
    expect(renderChanges(demoPeople, answers, answers, { color: false })).toBe(
      '    ada, olu, max: unchanged\n',
    );
  });

  test.each([
    [
      'oidc: error evaluating claim validation expression: validation expression \'claims.a == "x"\' failed: not x',
      'not x',
    ],
    ['oidc: verify token: oidc: token is expired', 'oidc: verify token: oidc: token is expired'],
    [
      "[invalid bearer token, oidc: error evaluating user info validation rule: validation expression 'f(x)' failed: no]",
      'no',
    ],
    ['[invalid bearer token, oidc: email not verified]', 'oidc: email not verified'],
  ])('the reason of %s', (message, short) => {
    expect(rejectionReason(message)).toBe(short);
  });
});
