/** Describes the place at the cursor `<|>` of a configuration in one line. */
import { type ConfigPlace, placeAt } from '../../engine/src/config/place-at.ts';
import { decodedPosition } from '../../engine/src/documents/yaml/loose-scalar.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';

export const describePlace = (marked: string): string => {
  const offset = marked.indexOf('<|>');
  const text = marked.replace('<|>', '');
  const place = placeAt(sourceFile('auth.yaml', text), offset);
  return place === undefined ? 'nothing' : shown(place, text, offset);
};

const shown = (place: ConfigPlace, text: string, offset: number): string => {
  const { kind, path, layout } = place;
  const where = `${kind} at ${path === '' ? 'the top' : path}, ${layout}`;
  if (kind === 'key') {
    const { struct, written, present, hasColon, quoted, offset: columns } = place;
    return [
      where,
      struct,
      JSON.stringify(text.slice(written.start, written.end)),
      `columns ${columns}`,
      ...(hasColon ? ['colon'] : []),
      ...(quoted ? ['quoted'] : []),
      `has ${[...present].join(' ')}`.trim(),
    ].join(', ');
  }
  if (kind !== 'value') return `${where}, ${place.row.name}, ${place.type.kind}`;
  const { scalar, siblings, type } = place;
  const decoded = decodedPosition(scalar, offset);
  const written = `${decoded.text.slice(0, decoded.offset)}|${decoded.text.slice(decoded.offset)}`;
  const others = [...siblings].map(([name, value]) => `${name}=${value}`).join(' ');
  return `${where}, ${type.kind}, ${scalar.style} ${JSON.stringify(written)}, siblings ${others}`.trim();
};
