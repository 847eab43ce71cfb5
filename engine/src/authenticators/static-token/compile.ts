/**
 * The bytes of a token file -> whom it names, and the digests of its tokens. Texts of errors and
 * warnings about its lines are the real server's.
 */
import { readCsv } from '../../formats/go-csv.ts';
import { differs, type Mode } from '../../model/differences.ts';
import type { Digest } from '../../ports/digest.ts';
import type { StaticTokenNode, StaticUser } from './node.ts';
import { staticTokenDigest } from './token-digest.ts';

/** What is not in the node. */
export interface StaticTokenMaterial {
  /** Keyed digest of the token -> place in the node's users. */
  readonly userByDigest: ReadonlyMap<string, number>;
}

export type StaticTokenCompilation =
  | {
      readonly kind: 'compiled';
      readonly node: StaticTokenNode;
      readonly material: StaticTokenMaterial;
      /** For the log, at the start; the first is about the risk of such a file. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'failed'; readonly error: string };

export interface StaticTokenSource {
  /** As the flag names it. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Nothing of a broken file is used. */
export const compileStaticToken = (
  { file, bytes }: StaticTokenSource,
  { digest, mode }: { readonly digest: Digest; readonly mode: Mode },
): StaticTokenCompilation => {
  const warnings = [riskWarning(file)];
  const userByKey = new Map<string, StaticUser>();
  const seen = new Set<string>();
  let number = 0;
  for (const record of readCsv(bytes)) {
    if (record.kind === 'error') return { kind: 'failed', error: record.message };
    const { fields } = record;
    if (fields.length < 3) return { kind: 'failed', error: tooFewColumns(file, fields.length) };
    number += 1;
    const [token = '', username = '', uid = '', groups] = fields;
    if (token === '') {
      warnings.push(inRecord('empty token has been found', file, number));
      continue;
    }
    const key = staticTokenDigest(token, digest);
    if (seen.has(key)) warnings.push(inRecord('duplicate token has been found', file, number));
    seen.add(key);
    // The last of several lines about one token counts, so a line without a name takes it away.
    userByKey.delete(key);
    if (username === '' && differs(mode, 'empty-username')) {
      warnings.push(inRecord('token without a user name is not used: found', file, number));
      continue;
    }
    userByKey.set(key, { username, uid, groups: groups === undefined ? [] : groups.split(',') });
  }
  return {
    kind: 'compiled',
    node: { module: 'static-token', file, users: [...userByKey.values()] },
    material: { userByDigest: new Map([...userByKey.keys()].map((key, place) => [key, place])) },
    warnings,
  };
};

const riskWarning = (file: string): string =>
  `static tokens of '${file}' are in use: they stand there as plain text, never expire, and are taken back only by editing the file and a restart; whoever reads it can act as everybody in it`;

const tooFewColumns = (file: string, count: number): string =>
  `token file '${file}' must have at least 3 columns (token, user name, user uid), found ${count}`;

const inRecord = (what: string, file: string, number: number): string =>
  `${what} in token file '${file}', record number '${number}'`;
