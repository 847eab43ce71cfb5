/**
 * Rename: a macro variable inside its expression, or a claim in all configurations and samples of
 * its issuer. Claims that kube-apiserver itself reads, and registered claims, cannot be renamed:
 * the result would reject every token or accept unverified email addresses, and no issuer would
 * follow. Renames that would change the meaning of an expression are rejected as well.
 */
import {
  type ClaimPath,
  claimPathText,
  editScalar,
  oneLine,
  renameClaim,
  renameVariable,
  reservedClaimReason,
  type TextEdit,
  writeName,
} from '@authgraph/engine/language';
import {
  type CancellationToken,
  LSPErrorCodes,
  type Position,
  type TextEdit as ProtocolEdit,
  type Range,
  type RenameParams,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import type { ClosedParts } from '../configurations.ts';
import { limits } from '../limits.ts';
import type { Sample } from '../samples.ts';
import { rangeOf } from '../to-protocol.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { claimsIn, issuerOf, membersAt, type NamedClaim, samePath } from './claim-places.ts';
import type { Feature } from './feature.ts';
import type { ExpressionInFile } from './placed-expressions.ts';
import {
  issuerUrlFields,
  namesMember,
  type SymbolAt,
  type SymbolOf,
  symbolAt,
} from './symbol-at.ts';
import { closedParts, openParts } from './symbol-places.ts';

/**
 * Returns what would be renamed, or `undefined` if there is no name. Throws an error with the
 * reason if the name cannot be renamed.
 */
const renameableAt = (
  workspace: Workspace,
  uri: string,
  position: Position,
): { readonly range: Range; readonly placeholder: string } | undefined => {
  const symbolPlace = symbolAt(workspace, uri, position);
  if (symbolPlace?.onName !== true) return undefined;
  requireRenameable(symbolPlace);
  return { range: symbolPlace.range, placeholder: symbolPlace.name };
};

/**
 * Returns the edits of all files, open or not. Throws an error with the reason if the rename is
 * impossible.
 */
const renameAt = async (
  workspace: Workspace,
  { textDocument: { uri }, position, newName }: RenameParams,
  token: CancellationToken,
): Promise<WorkspaceEdit | null> => {
  const requested = symbolAt(workspace, uri, position);
  if (requested?.onName !== true) return null;
  requireRenameable(requested);
  if (requested.symbol.kind === 'claim' && !(await workspace.waitForSearch())) {
    throw renameError('the workspace is still being searched for samples: try again in a moment');
  }
  const closed = await closedParts(workspace, requested.symbol, token);
  // A partial rename would make the files inconsistent.
  if (token.isCancellationRequested) return null;
  const symbolPlace = symbolAt(workspace, uri, position);
  if (symbolPlace?.onName !== true) return null;
  requireRenameable(symbolPlace);
  const { symbol } = symbolPlace;
  const changes =
    symbol.kind === 'variable'
      ? variableChanges(symbol, newName)
      : symbol.kind === 'claim'
        ? claimChanges({ workspace, closed }, symbol, newName)
        : new Changes();
  return { changes: changes.byUri() };
};

/** Returns an error whose message the client shows to the user. */
const renameError = (message: string): Error =>
  new ResponseError(LSPErrorCodes.RequestFailed, message);

const requireRenameable = ({ symbol, name }: SymbolAt): void => {
  if (symbol.kind === 'variable') return;
  if (symbol.kind === 'issuer') {
    throw renameError("an issuer can't be renamed: tokens contain its url");
  }
  if (symbol.kind === 'user') {
    throw renameError("a part of the user can't be renamed: kube-apiserver defines its name");
  }
  const reason = symbol.path.length === 1 ? reservedClaimReason(name) : undefined;
  if (reason !== undefined) throw renameError(`${reason}: it can't be renamed`);
  if (symbol.issuer === undefined) {
    throw renameError("the issuer of the claim isn't known yet: set the issuer's url first");
  }
};

interface RenameContext {
  readonly workspace: Workspace;
  readonly closed: ClosedParts;
}

/** Collects edits by document; each range is edited once. */
class Changes {
  readonly #byUri = new Map<string, Map<string, ProtocolEdit>>();

  add(uri: string, edits: readonly ProtocolEdit[]): void {
    if (edits.length === 0) return;
    const edited = this.#byUri.get(uri) ?? new Map<string, ProtocolEdit>();
    for (const edit of edits) edited.set(JSON.stringify(edit.range), edit);
    this.#byUri.set(uri, edited);
  }

  byUri(): { [uri: string]: ProtocolEdit[] } {
    return Object.fromEntries([...this.#byUri].map(([uri, edits]) => [uri, [...edits.values()]]));
  }
}

const requestOf = (
  { compilation }: ConfigurationPart,
  { located, environment, result }: ExpressionInFile,
) => ({
  text: located.value,
  environment,
  result,
  release: compilation.settings.targetRelease,
});

const variableChanges = (
  { part, expression, variable }: SymbolOf<'variable'>,
  newName: string,
): Changes => {
  const changes = new Changes();
  const renaming = renameVariable(requestOf(part, expression), variable, newName);
  if (renaming.kind === 'refused') throw renameError(renaming.message);
  changes.add(part.uri, editsOf(part, expression, renaming.edits));
  return changes;
};

const editsOf = (
  { compilation, places }: ConfigurationPart,
  { located }: Pick<ExpressionInFile, 'located'>,
  edits: readonly TextEdit[],
): readonly ProtocolEdit[] =>
  editScalar(compilation.document.source, located, edits).map((edit) => places.edit(edit));

const claimChanges = (
  { workspace, closed }: RenameContext,
  { path, issuer }: SymbolOf<'claim'>,
  newName: string,
): Changes => {
  const changes = new Changes();
  const samples = workspace.samples.all.filter((sample) => issuerOf(sample) === issuer);
  const newPath: ClaimPath = [...path.slice(0, -1), { kind: 'member', name: newName }];
  if (samePath(path, newPath)) return changes;
  requireValidName(newPath, newName);
  requireReadable(workspace, samples, path);
  requireAllSamples(workspace);
  const configurations = [...openParts(workspace), ...closed.parts];
  requireAllConfigurations(configurations, closed);
  const trusting = configurations.filter(({ compilation }) =>
    issuerUrlFields(compilation).some(({ value }) => value === issuer),
  );
  // Renaming only the sample would make it inconsistent with a configuration elsewhere.
  if (trusting.length === 0) {
    throw renameError(
      'no configuration in the workspace has this issuer: open the one to rename in as well',
    );
  }
  const parts = trusting.map((part) => ({
    part,
    claims: claimsIn(part.compilation).filter((claim) => claim.issuer === issuer),
  }));
  for (const { part, claims } of parts) {
    if (claims.some((claim) => samePath(claim.path, newPath))) {
      throw renameError(`${fileName(part)} already names the claim ${displayPath(newPath)}`);
    }
  }
  for (const sample of samples) {
    if (membersAt(sample, newPath).length > 0) {
      throw renameError(`${oneLine(sample.name)} already has a claim ${displayPath(newPath)}`);
    }
  }
  for (const { part, claims } of parts) {
    const wanted = claims.filter(
      (claim) => samePath(claim.path, path) && namesMember(claim, workspace),
    );
    changes.add(part.uri, configurationEdits(part, wanted, newName));
  }
  for (const sample of samples) changes.add(sample.id, sampleEdits(sample, path, newName));
  return changes;
};

/**
 * A file hidden by a limit may name the claim too, and a partial rename would make the files
 * inconsistent.
 */
const requireAllConfigurations = (
  configurations: readonly ConfigurationPart[],
  { skipped }: ClosedParts,
): void => {
  const long = configurations.find(({ isLong }) => isLong);
  if (long !== undefined) {
    throw renameError(
      `${fileName(long)} is too long to be analyzed and may name the claim: split it first`,
    );
  }
  switch (skipped?.kind) {
    case undefined:
      return;
    case 'too long':
      throw renameError(
        `${fileName(skipped)} is too long to be read while it is closed and may name the claim: open it as well`,
      );
    case 'too many':
      throw renameError(
        `more than ${limits.closedConfigurations} configurations are not open, and ${fileName(skipped)} may name the claim: open it as well, or open a folder with fewer configurations`,
      );
    case 'stopped':
      throw renameError(
        `the analysis of ${fileName(skipped)} was stopped, and the file may name the claim: split it first`,
      );
    case 'search truncated':
      throw renameError(tooManyFiles);
  }
};

const tooManyFiles =
  'the workspace has more files than can be searched, and some may name the claim: open a smaller folder';

const requireAllSamples = ({ samples: { skipped } }: Workspace): void => {
  switch (skipped?.kind) {
    case undefined:
      return;
    case 'too many':
      throw renameError(
        `the workspace has more than ${limits.sampleFiles} samples, and ${fileName(skipped)} may name the claim: open a folder with fewer samples`,
      );
    case 'search truncated':
      throw renameError(tooManyFiles);
  }
};

/** Some of the files are not open, so error messages name them. */
const fileName = ({ uri }: { readonly uri: string }): string =>
  oneLine(Utils.basename(URI.parse(uri)));

const displayPath = (path: ClaimPath): string => oneLine(claimPathText(path));

const requireValidName = (path: ClaimPath, name: string): void => {
  if (name === '' || /[\u0000-\u001f\u007f]/.test(name)) {
    throw renameError('a claim name must not be empty or contain control characters');
  }
  const reason = path.length === 1 ? reservedClaimReason(name) : undefined;
  if (reason !== undefined) throw renameError(`${reason}: choose another name`);
};

/**
 * An incomplete sample is known in its last valid form or not at all; if it may name the claim, the
 * known spans are outdated. Nothing is known about a sample without a place.
 */
const requireReadable = (
  { samples }: Workspace,
  wanted: readonly Sample[],
  path: ClaimPath,
): void => {
  const last = path.at(-1);
  const invalid = samples.invalid.find(
    ({ id, place }) =>
      place === undefined ||
      wanted.some((sample) => sample.id === id) ||
      (last?.kind === 'member' && place.source.text.includes(last.name)),
  );
  if (invalid === undefined) return;
  if (invalid.place === undefined) {
    throw renameError(
      `${oneLine(invalid.name)} is too long or not a text file, and may contain the claim: shorten it, or exclude it in the setting authgraph.samples.files`,
    );
  }
  throw renameError(`${oneLine(invalid.name)} is not valid, but names the claim: fix it first`);
};

const configurationEdits = (
  part: ConfigurationPart,
  claims: readonly NamedClaim[],
  newName: string,
): readonly ProtocolEdit[] => {
  const { document } = part.compilation;
  const fields = claims.flatMap(({ occurrence }) => {
    if (occurrence.kind !== 'field') return [];
    const { located } = occurrence;
    const edit = writeName(document.source.text, located.span, newName);
    return edit === undefined
      ? editScalar(document.source, located, [
          { span: { start: 0, end: located.value.length }, newText: newName },
        ])
      : [edit];
  });
  const mentionsByExpression = Map.groupBy(
    claims.flatMap(({ occurrence: writing }) => (writing.kind === 'expression' ? [writing] : [])),
    ({ expression }) => expression,
  );
  return [
    ...fields.map((edit) => part.places.edit(edit)),
    ...[...mentionsByExpression].flatMap(([expression, writings]) => {
      if (isSharedByIssuers(part, expression)) {
        throw renameError(
          `${fileName(part)}, ${expression.path}: a YAML alias shares the expression with another issuer`,
        );
      }
      const mentions = writings.map(({ mention }) => mention);
      const renaming = renameClaim(requestOf(part, expression), mentions, newName);
      if (renaming.kind === 'refused')
        throw renameError(`${fileName(part)}, ${expression.path}: ${renaming.message}`);
      return editsOf(part, expression, renaming.edits);
    }),
  ];
};

const isSharedByIssuers = (
  { compilation: { configuration } }: ConfigurationPart,
  { authenticator, sharedWith }: ExpressionInFile,
): boolean => {
  const issuer = (index: number) => configuration?.jwt[index]?.issuer.url?.value;
  return sharedWith.some((other) => issuer(other) !== issuer(authenticator));
};

const sampleEdits = (sample: Sample, path: ClaimPath, newName: string): readonly ProtocolEdit[] => {
  const source = sample.document?.source;
  if (source === undefined) return [];
  // A key that appears twice in one map is still one claim; both are renamed.
  const names = membersAt(sample, path).flatMap((entry) => {
    const all = [entry.keySpan];
    for (let other = entry.replaces; other !== undefined; other = other.replaces) {
      all.push(other.keySpan);
    }
    return all;
  });
  return names.map((keySpan) => {
    const edit = writeName(source.text, keySpan, newName);
    if (edit === undefined) {
      throw renameError(`${oneLine(sample.name)} spells the name in a way that can't be changed`);
    }
    return { range: rangeOf(source, edit.span), newText: edit.newText };
  });
};

export const rename: Feature = {
  capabilities: { renameProvider: { prepareProvider: true } },
  register(connection, handlers) {
    const { workspace } = handlers;
    connection.onPrepareRename(
      handlers.guarded(
        ({ textDocument: { uri }, position }) => renameableAt(workspace, uri, position) ?? null,
        null,
      ),
    );
    connection.onRenameRequest(
      handlers.guardedAsync((params, token) => renameAt(workspace, params, token), null),
    );
  },
};
