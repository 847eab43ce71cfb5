/** The packed language server, tested as one process over stdio. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { bundle } from '../../extension/packing/bundle.ts';
import {
  doctorRequest,
  memorySampleRequest,
  whoamiRequest,
} from '../../language-server/src/protocol.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Removes the functions that the oldest supported Node lacks. */
const lacking = `delete Map.groupBy;
delete Object.groupBy;
delete Promise.withResolvers;
delete Array.fromAsync;
for (const name of ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']) {
  delete Set.prototype[name];
}
const steps = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
for (const name of ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find']) {
  delete steps[name];
}
`;

const { path: folder, write } = temporaryFolder();
beforeAll(async () => {
  const files = await bundle(['desktop']);
  for (const [path, code] of files) {
    if (path.startsWith('dist/server')) write(path.slice(5), code);
  }
  write('lacking.cjs', lacking);
}, 60_000);

const uri = 'file:///workspace/a.yaml';
const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: "https://127.0.0.1:9", audiences: [app]}
  claimMappings:
    username: {expression: '"a:" + claims.sub'}
    groups: {expression: 'dyn(claims.roles).map(r, "a:" + r)'}
`;
const claims = JSON.stringify({
  iss: 'https://127.0.0.1:9',
  aud: 'app',
  sub: 'jane',
  roles: ['dev'],
  exp: 4_102_444_800,
});

test('runs on the oldest supported Node: whoami and the doctor work', async () => {
  const args = ['--require', join(folder, 'lacking.cjs'), join(folder, 'server.js'), '--stdio'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let faults = '';
  child.stderr.on('data', (data) => {
    faults += data;
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {},
    initializationOptions: { trusted: true },
  });
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'yaml', version: 1, text },
  });
  await connection.sendRequest(memorySampleRequest, { name: 'jane', claims });
  const whoami = await connection.sendRequest(whoamiRequest, { uri, samples: 'all' });
  expect(whoami).toMatchObject({
    rows: [{ user: { username: 'a:jane', groups: ['a:dev', 'system:authenticated'] } }],
  });
  // No server listens on that port.
  const doctor = await connection.sendRequest(doctorRequest, { uri });
  expect(doctor).toMatchObject({ issuers: [{ url: 'https://127.0.0.1:9', well: false }] });
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await new Promise((resolve) => child.once('exit', resolve));
  connection.dispose();
  expect(faults).toBe('');
}, 30_000);
