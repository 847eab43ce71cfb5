/** The memory limit of the process, from control group files in the format of Linux. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readMemoryLimit } from '../../../engine/src/node/memory-limit.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const mebibyte = 2 ** 20;
const machineBytes = 8192 * mebibyte;

const limitOf = (files: Readonly<Record<string, string>>, constrainedBytes = 0) => {
  const { path: root } = temporaryFolder(onTestFinished);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return readMemoryLimit({ root, machineBytes, constrainedBytes });
};

const machine = { bytes: machineBytes, from: 'machine' };
const group = (megabytes: number) => ({ bytes: megabytes * mebibyte, from: 'cgroup' });
const bytes = (megabytes: number): string => `${megabytes * mebibyte}\n`;

const second = 'sys/fs/cgroup';
const first = 'sys/fs/cgroup/memory';

test.each([
  ['no files at all', {}, machine],
  [
    'version 2, its own group is the root of the mount',
    { 'proc/self/cgroup': '0::/\n', [`${second}/memory.max`]: bytes(256) },
    group(256),
  ],
  [
    'version 2, a group of its own',
    { 'proc/self/cgroup': '0::/pod/app\n', [`${second}/pod/app/memory.max`]: bytes(256) },
    group(256),
  ],
  [
    'version 2, the limit of a group above is smaller',
    {
      'proc/self/cgroup': '0::/pod/app\n',
      [`${second}/pod/app/memory.max`]: bytes(512),
      [`${second}/pod/memory.max`]: bytes(300),
    },
    group(300),
  ],
  [
    'version 2, only a group above has a limit',
    {
      'proc/self/cgroup': '0::/pod/app\n',
      [`${second}/pod/app/memory.max`]: 'max\n',
      [`${second}/pod/memory.max`]: bytes(300),
    },
    group(300),
  ],
  [
    'version 2 without limits',
    { 'proc/self/cgroup': '0::/app\n', [`${second}/app/memory.max`]: 'max\n' },
    machine,
  ],
  [
    'version 2 next to version 1',
    {
      'proc/self/cgroup': '4:memory:/app\n0::/app\n',
      [`${second}/unified/app/memory.max`]: bytes(700),
      [`${first}/app/memory.limit_in_bytes`]: bytes(800),
    },
    group(700),
  ],
  [
    'version 1, memory together with another controller',
    {
      'proc/self/cgroup': '9:name=systemd:/\n3:cpu,memory:/docker/abc\n',
      [`${first}/docker/abc/memory.limit_in_bytes`]: bytes(512),
    },
    group(512),
  ],
  [
    'version 1 in a container that does not see the path of its group',
    {
      'proc/self/cgroup': '4:memory:/kubepods/pod1/abc\n',
      [`${first}/memory.limit_in_bytes`]: bytes(128),
    },
    group(128),
  ],
  [
    'version 1 without a limit: the largest number of pages',
    {
      'proc/self/cgroup': '4:memory:/\n',
      [`${first}/memory.limit_in_bytes`]: '9223372036854771712\n',
    },
    machine,
  ],
  [
    'a limit above the memory of the machine',
    { 'proc/self/cgroup': '0::/\n', [`${second}/memory.max`]: bytes(9000) },
    machine,
  ],
  ...['', '0', '-1', 'NaN', '12a', '1e9', '0x10000000', '268435456 1', '٢٦٨٤٣٥٤٥٦'].map(
    (text) =>
      [
        `an absurd limit: ${JSON.stringify(text)}`,
        { 'proc/self/cgroup': '0::/\n', [`${second}/memory.max`]: text },
        machine,
      ] as const,
  ),
  [
    'a path that leaves the hierarchy',
    {
      'proc/self/cgroup': '0::/../../../other\n',
      [`${second}/memory.max`]: bytes(256),
      'other/memory.max': bytes(1),
    },
    group(256),
  ],
  ['malformed lines', { 'proc/self/cgroup': 'memory\n::\n0:/\n\n4:memory:app\n' }, machine],
] as const)('%s', (_name, files, expected) => {
  expect(limitOf(files)).toEqual(expected);
});

test('takes the limit that Node reports into account', () => {
  expect(limitOf({}, 256 * mebibyte)).toEqual(group(256));
  expect(limitOf({}, 2 ** 64)).toEqual(machine);
  const files = { 'proc/self/cgroup': '0::/\n', [`${second}/memory.max`]: bytes(128) };
  expect(limitOf(files, 256 * mebibyte)).toEqual(group(128));
});
