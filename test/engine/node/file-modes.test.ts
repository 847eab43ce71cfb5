/** Which permissions of files with secrets are reported. */
import { chmodSync, chownSync } from 'node:fs';
import { expect, test } from 'vitest';
import { secretFileWarnings } from '../../../engine/src/node/file-modes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { write } = temporaryFolder();
const own = process.getuid?.() ?? 0;

test.each([
  ['its owner alone', 0o600, own, false],
  ['everyone', 0o644, own, true],
  ['a group', 0o640, own, true],
  ['a group, and the file belongs to another user', 0o440, own + 65_532, false],
  ['a group that may write, and the file belongs to another user', 0o660, own + 65_532, true],
  ['everyone, and the file belongs to another user', 0o444, own + 65_532, true],
  // Root reads every file, so no group is needed.
  ['a group, and root reads the file of another user', 0o440, 0, true],
])('readable by %s', async (name, mode, reader, isReported) => {
  const path = write(`${reader}-${mode}.key`, '');
  chmodSync(path, mode);
  if (name.includes('root reads') && own === 0) chownSync(path, 65_532, 65_532);
  const shown = mode.toString(8).padStart(4, '0');
  expect(await secretFileWarnings([path], reader)).toEqual(
    isReported
      ? [
          `${JSON.stringify(path)} contains secrets, but its mode ${shown} gives other users access: set it to 0600`,
        ]
      : [],
  );
});
