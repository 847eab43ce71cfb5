/**
 * Compiles a token file to its users and the digests of its tokens. Errors and warnings about its
 * lines are those of kube-apiserver.
 */
import { readCsv } from '../../formats/go-csv.ts';
import { differs, type Mode } from '../../model/differences.ts';
import type { Digest } from '../../ports/digest.ts';
import type { FileCompilation } from '../module.ts';
import type { StaticTokenNode, StaticUser } from './node.ts';
import { staticTokenDigest } from './token-digest.ts';

/** Runtime data that is not part of the node. */
export interface StaticTokenMaterial {
  /** Maps the keyed digest of a token to an index in the node's users. */
  readonly userByDigest: ReadonlyMap<string, number>;
}

/** The first warning is about the risk of static tokens. */
export type StaticTokenCompilation = FileCompilation<StaticTokenNode, StaticTokenMaterial>;

export interface StaticTokenSource {
  /** Path of the file as given in the flag. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Compiles the file. A file with an error is not used at all. */
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
    // If a token occurs more than once, the last line counts; one without a username removes the
    // token.
    userByKey.delete(key);
    if (username === '' && differs(mode, 'empty-username')) {
      warnings.push(inRecord('token without a user name has been ignored', file, number));
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
  `static tokens in '${file}' are in use: they are stored in plain text, never expire, and are revoked only by editing the file and restarting; anyone who can read the file can act as every user in it`;

const tooFewColumns = (file: string, count: number): string =>
  `token file '${file}' must have at least 3 columns (token, user name, user uid), found ${count}`;

const inRecord = (what: string, file: string, number: number): string =>
  `${what} in token file '${file}', record number '${number}'`;
