/** The users of the sample kubeconfig are those that `config set-credentials` writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newestExecVersion } from '../../engine/src/client/server/exec-credential.ts';
import { readKubeconfig } from '../../engine/src/documents/kubeconfig/kubeconfig.ts';
import {
  mapField,
  stringField,
  stringListField,
} from '../../engine/src/formats/go-struct/fields.ts';
import { runCaptured } from '../support/captured-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sample = join(import.meta.dirname, '../../samples/client/users.kubeconfig');
const { write } = temporaryFolder();

const usersOf = (path: string) => {
  const contents = { kind: 'read', bytes: readFileSync(path) } as const;
  const reading = readKubeconfig({ path, directory: '/', contents });
  if (reading.kind === 'error') throw new Error(reading.message);
  return reading.kubeconfig.users;
};

const users = usersOf(sample);

test.each([...users.keys()])('%s', async (name) => {
  const exec = mapField(users.get(name) ?? new Map(), 'exec');
  expect(stringField(exec, 'apiVersion')).toBe(newestExecVersion);
  const [command, ...flags] = stringListField(exec, 'args');
  expect(command).toBe('get-token');
  const file = write(name, '');
  const args = ['config', 'set-credentials', name, ...flags, `--kubeconfig=${file}`];
  expect((await runCaptured(args)).code).toBe(0);
  const written = mapField(usersOf(file).get(name) ?? new Map(), 'exec');
  expect(stringListField(written, 'args').toSorted()).toEqual([command, ...flags].toSorted());
  const others = ({ ...fields }: Record<string, unknown>) => ({ ...fields, args: undefined });
  expect(others(Object.fromEntries(written))).toEqual(others(Object.fromEntries(exec)));
});
