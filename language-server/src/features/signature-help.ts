/** Signature help: the overloads of the call at the cursor, and the current parameter. */
import {
  type DraftCall,
  type DraftPlace,
  draftPlace,
  type KnownName,
  type NameSignature,
  namesByFullName,
  namesForCall,
  namespaceNames,
  placeAt,
  releaseName,
} from '@authgraph/engine/language';
import type {
  ParameterInformation,
  SignatureHelp,
  SignatureInformation,
} from 'vscode-languageserver';
import { markdown } from './completion-item.ts';
import { type ExpressionPlace, expressionPlace } from './expression-place.ts';
import type { Feature, PlaceContext } from './feature.ts';
import { paragraphs } from './markdown.ts';
import { typeOfPlacedPart, valuesOfPart } from './sample-values.ts';

export const signaturesAt = (context: PlaceContext): SignatureHelp | undefined => {
  const place = placeAt(context.part.compilation.document.source, context.offset);
  if (place?.kind !== 'value') return undefined;
  const expression = expressionPlace(context, place, context.offset);
  if (expression === undefined) return undefined;
  const at = draftPlace(expression.text, expression.offset);
  const call = at.calls.at(-1);
  return call === undefined || at.kind === 'comment' ? undefined : helpFor(expression, at, call);
};

export const signatureHelp: Feature = {
  capabilities: { signatureHelpProvider: { triggerCharacters: ['(', ','] } },
  register(connection, handlers) {
    connection.onSignatureHelp(handlers.atPosition(signaturesAt));
  },
};

const helpFor = (
  place: ExpressionPlace,
  at: DraftPlace,
  call: DraftCall,
): SignatureHelp | undefined => {
  const names = namesOf(place, at, call);
  const signatures = names.flatMap((name) =>
    name.signatures.map((signature) => ({ name, signature })),
  );
  if (signatures.length === 0) return undefined;
  const fitting = signatures.findIndex(({ signature }) => signature.params.length > call.argument);
  return {
    signatures: signatures.map(({ name, signature }) => informationOf(place, name, signature)),
    activeSignature: Math.max(0, fitting),
    activeParameter: call.argument,
  };
};

const namesOf = (
  place: ExpressionPlace,
  at: DraftPlace,
  { name, receiver }: DraftCall,
): readonly KnownName[] => {
  if (receiver === undefined) return namesForCall(name, undefined, place);
  const written = place.text.slice(receiver.start, receiver.end);
  const inNamespace = namespaceNames(written, place).filter((known) => known.name === name);
  if (inNamespace.length > 0) return inNamespace;
  const outer = at.bindings.filter(({ range }) => range.end < receiver.start);
  const part = { span: receiver, bindings: outer };
  const { likely } = typeOfPlacedPart(place, part, valuesOfPart(place, part));
  const fitting = likely === undefined ? [] : namesForCall(name, likely, place);
  return fitting.length > 0 ? fitting : namesByFullName(name, 'member', place);
};

const informationOf = (
  { release }: ExpressionPlace,
  { name }: KnownName,
  { text, params, doc, since }: NameSignature,
): SignatureInformation => ({
  label: text,
  documentation: markdown(
    paragraphs(
      doc,
      since > release
        ? `Requires ${releaseName(since)}; not available in the target release ${releaseName(release)}.`
        : undefined,
    ),
  ),
  parameters: parametersOf(text, params, name),
});

/**
 * Returns the offsets of the parameters in the label, so that clients can highlight the current
 * one.
 */
const parametersOf = (
  text: string,
  params: readonly string[],
  name: string,
): ParameterInformation[] => {
  let from = text.indexOf(`${name}(`) + name.length + 1;
  return params.map((param) => {
    const start = text.indexOf(param, from);
    from = start + param.length;
    return { label: [start, from] };
  });
};
