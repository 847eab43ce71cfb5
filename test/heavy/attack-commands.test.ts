/**
 * The command line in hostile workspaces, as a process: paths out of the workspace, files that cost much, text that
 * would be markup or terminal codes, and corpora in a small heap.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommandCase, runCommand } from '../attacks/lib/commands.mjs';

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'test/attacks/commands.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): CommandCase => JSON.parse(line));

const classes = [...new Set(rows.map(({ cls }) => cls))];

describe.each(classes)('INV-F1 INV-F2 INV-F4 %s', (cls) => {
  test.each(rows.filter((row) => row.cls === cls))('$id $why', (row) => {
    const command = `${process.execPath} ${join(root, 'engine/dist/cli/main.js')}`;
    const { ok, got, detail } = runCommand(row, command);
    expect({ ok, got, detail }).toEqual({ ok: true, got, detail });
  });
});
