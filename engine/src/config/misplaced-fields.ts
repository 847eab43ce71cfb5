/**
 * Fields that exist, but in another section: the indentation is wrong, or the lines are below the
 * wrong section. The fix moves the lines.
 */
import type { Fix } from '../diagnostics/diagnostic.ts';
import type { DataEntry, DataNode, MapData } from '../documents/yaml/data.ts';
import { contains, type Span, span } from '../source/span.ts';
import { applyEdits, type TextEdit } from '../source/text-edit.ts';
import { endOfLine, lineBreakOf, startOfLine } from './rules/layout-fixes.ts';
import { type FieldRow, type FieldType, fieldsOf, type StructName, schema } from './schema.ts';

/** A section of the file and the sections around it. */
export interface SectionPlace {
  readonly struct: StructName;
  /** Path of the section, for example `jwt[0].issuer`. */
  readonly path: string;
  readonly data: MapData;
  readonly outer: SectionPlace | undefined;
}

export interface Misplacement {
  /** A sentence about where the field belongs. */
  readonly help: string;
  /** Fields that only seem to be missing or incomplete as long as the lines are misplaced. */
  readonly unread: string;
  readonly fixes: readonly Fix[];
  /** The first field with the same mistake, if the fix moves both. */
  readonly movedWith: DataEntry | undefined;
}

/** The section that a misplaced field belongs to. */
interface Target {
  /** Adjacent fields with the same key are moved together. */
  readonly key: string;
  readonly help: string;
  readonly unread: string;
  /** Completes `Move x …`. */
  readonly direction: string;
  readonly destination: Destination | undefined;
}

interface Destination {
  /** The entry after whose lines the field belongs; without one, `section` is added around it. */
  readonly after?: DataEntry;
  readonly section?: string;
  readonly column: number;
}

interface Naming {
  /** Returns the name of a field in this version of the file. */
  readonly nameOf: (row: FieldRow) => string;
  /** The text to edit; `undefined` if it is JSON, whose lines are not moved. */
  readonly text: string | undefined;
}

/** The fields of one section that are examined. */
const maxExamined = 200;

/** Returns the unknown fields of a section that belong to another section. */
export const misplacedFields = (
  unknown: readonly DataEntry[],
  here: SectionPlace,
  naming: Naming,
): ReadonlyMap<DataEntry, Misplacement> => {
  const examined = new Set(unknown.slice(0, maxExamined));
  const runs: { readonly target: Target; readonly entries: DataEntry[] }[] = [];
  let preceding: DataEntry | undefined;
  for (const entry of here.data.entries) {
    if (!examined.has(entry)) {
      preceding = entry;
      continue;
    }
    const target = targetOf({ entry, preceding, here, ...naming });
    if (target === undefined) continue;
    const last = runs.at(-1);
    if (last?.target.key === target.key && isNext(last.entries, entry, naming.text))
      last.entries.push(entry);
    else runs.push({ target, entries: [entry] });
  }
  return new Map(runs.flatMap((run) => misplacementsOf(run, naming.text)));
};

const isNext = (
  entries: readonly DataEntry[],
  entry: DataEntry,
  text: string | undefined,
): boolean => {
  const previous = entries.at(-1);
  return (
    text !== undefined &&
    previous !== undefined &&
    isBlank(text.slice(endOfEntry(text, previous), startOfEntry(text, entry)))
  );
};

const misplacementsOf = (
  { target, entries }: { readonly target: Target; readonly entries: readonly DataEntry[] },
  text: string | undefined,
): readonly (readonly [DataEntry, Misplacement])[] => {
  const { help, unread } = target;
  const [first] = entries;
  const fixes = text === undefined ? [] : moveFixes(text, entries, target);
  return entries.map((entry) => [
    entry,
    { help, unread, fixes, movedWith: entry === first || fixes.length === 0 ? undefined : first },
  ]);
};

interface Search extends Naming {
  readonly entry: DataEntry;
  /** The known field before it. */
  readonly preceding: DataEntry | undefined;
  readonly here: SectionPlace;
}

const targetOf = (search: Search): Target | undefined =>
  outwardTarget(search) ??
  precedingTarget(search) ??
  uniqueTarget(search) ??
  topLevelTarget(search);

/** The field belongs to a section around this one: it is indented too far. */
const outwardTarget = ({ entry, here, nameOf, text }: Search): Target | undefined => {
  for (let outer = here.outer; outer !== undefined && !isRoot(outer); outer = outer.outer) {
    const row = rowFor(entry, outer.struct, nameOf);
    if (row === undefined) continue;
    if (outer.data.byKey.has(entry.key)) return undefined;
    const section = outer.data.entries.find(({ value }) => contains(value.span, here.data.span));
    if (section === undefined) return undefined;
    const column = columnOf(text, section);
    return {
      key: `out of ${outer.path}`,
      help: `\`${entry.key}\` belongs in \`${outer.path}\`, next to \`${section.key}\`: it is indented too far.`,
      unread: `${outer.path}.${row.name}`,
      direction: `out of ${section.key}`,
      destination: column === undefined ? undefined : { after: section, column },
    };
  }
  return undefined;
};

/** The field belongs to the section before it: it is not indented far enough. */
const precedingTarget = (search: Search): Target | undefined => {
  const { entry, preceding, here, nameOf } = search;
  if (preceding === undefined) return undefined;
  const row = fieldsOf(here.struct).find((candidate) => nameOf(candidate) === preceding.key);
  const inner = sectionType(row?.type);
  if (row === undefined || inner === undefined || rowFor(entry, inner, nameOf) === undefined)
    return undefined;
  const { value } = preceding;
  const isList = row.type.kind === 'list';
  const item = value.kind === 'array' ? value.items.at(-1) : value;
  if (item?.kind === 'object' && item.byKey.has(entry.key)) return undefined;
  const index = value.kind === 'array' ? `[${value.items.length - 1}]` : '';
  return {
    key: `into ${preceding.key}`,
    help: `\`${entry.key}\` belongs in \`${preceding.key}\`: it is not indented far enough.`,
    unread: `${here.path}.${row.name}${index}`,
    direction: `into ${preceding.key}`,
    destination:
      isList && item?.kind !== 'object' ? undefined : destinationIn(search, preceding, item),
  };
};

/** Only one section of the entry has a field of this name. */
const uniqueTarget = (search: Search): Target | undefined => {
  const { entry, here, nameOf } = search;
  for (
    let near: SectionPlace | undefined = here;
    near !== undefined && !isRoot(near);
    near = near.outer
  )
    for (const row of fieldsOf(near.struct)) {
      if (row.type.kind !== 'struct' || !isOnlyIn(row.type.struct, entry, nameOf)) continue;
      const { struct } = row.type;
      // Username and groups have the same fields.
      if (
        fieldsOf(near.struct).some((other) => other !== row && sectionType(other.type) === struct)
      )
        continue;
      const name = nameOf(row);
      const section = near.data.byKey.get(name);
      const value = section?.value;
      if (value?.kind === 'object' && value.byKey.has(entry.key)) return undefined;
      const wrapped = near === here ? columnOf(search.text, entry) : undefined;
      return {
        key: `into ${name}`,
        help: `\`${entry.key}\` belongs in \`${name}\`.`,
        unread: `${near.path}.${row.name}`,
        direction: `into ${name}`,
        destination:
          section !== undefined
            ? destinationIn(search, section, value)
            : wrapped === undefined
              ? undefined
              : { section: name, column: wrapped + indentStep },
      };
    }
  return undefined;
};

/** The field belongs to the file itself. The fix is left out: the whole file is not known here. */
const topLevelTarget = ({ entry, here, nameOf }: Search): Target | undefined => {
  const root = 'AuthenticationConfiguration';
  if (here.struct === root || !isOnlyIn(root, entry, nameOf)) return undefined;
  const row = rowFor(entry, root, nameOf);
  return {
    key: 'top level',
    help: `\`${entry.key}\` belongs at the top level of the file: move it there.`,
    unread: row?.name ?? entry.key,
    direction: 'to the top level',
    destination: undefined,
  };
};

const isRoot = ({ struct }: SectionPlace): boolean => struct === 'AuthenticationConfiguration';

const sectionType = (type: FieldType | undefined): StructName | undefined => {
  if (type?.kind === 'list') return sectionType(type.item);
  return type?.kind === 'struct' ? type.struct : undefined;
};

/** Returns the row of a field that has this name and can have this value. */
const rowFor = (
  { key, value }: DataEntry,
  struct: StructName,
  nameOf: Naming['nameOf'],
): FieldRow | undefined =>
  fieldsOf(struct).find((row) => nameOf(row) === key && canHold(row.type, value));

const isOnlyIn = (struct: StructName, entry: DataEntry, nameOf: Naming['nameOf']): boolean =>
  [...schema.keys()].every(
    (other) => (rowFor(entry, other, nameOf) !== undefined) === (other === struct),
  );

const dataKinds: Readonly<Record<FieldType['kind'], DataNode['kind']>> = {
  bool: 'bool',
  string: 'string',
  struct: 'object',
  list: 'array',
};

const canHold = (type: FieldType, { kind }: DataNode): boolean =>
  kind === 'null' || kind === dataKinds[type.kind];

/** The indentation of a section that is added, or that has no fields yet. */
const indentStep = 2;

/** Returns the place after the last field of a section. */
const destinationIn = (
  { text }: Search,
  section: DataEntry,
  value: DataNode | undefined,
): Destination | undefined => {
  const column = columnOf(text, section);
  if (column === undefined) return undefined;
  if (value === undefined || value.kind === 'null')
    return { after: section, column: column + indentStep };
  const first = value.kind === 'object' ? value.entries[0] : undefined;
  const inner = first === undefined ? undefined : columnOf(text, first);
  return inner === undefined ? undefined : { after: section, column: inner };
};

/** Returns the column of a key in block style. */
const columnOf = (text: string | undefined, { keySpan }: DataEntry): number | undefined => {
  if (text === undefined) return undefined;
  const lead = text.slice(startOfLine(text, keySpan.start), keySpan.start);
  return /^[ -]*$/.test(lead) ? lead.length : undefined;
};

const moveFixes = (
  text: string,
  entries: readonly DataEntry[],
  { direction, destination }: Target,
): readonly Fix[] => {
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined || destination === undefined) return [];
  const column = columnOf(text, first);
  const areLines = entries.every(({ keySpan, value }) => {
    const lead = text.slice(startOfLine(text, keySpan.start), keySpan.start);
    return /^ *$/.test(lead) && lead.length === column && isBehind(value.span, keySpan);
  });
  if (column === undefined || !areLines) return [];
  const lines = span(startOfEntry(text, first), endOfEntry(text, last));
  const edits = moveEdits(text, lines, { ...destination, by: destination.column - column });
  if (edits.length === 0) return [];
  const names = entries.map(({ key }) => key).join(', ');
  return [{ title: `Move ${names} ${direction}`, edits }];
};

/** An alias refers to lines in another place. */
const isBehind = (value: Span, key: Span): boolean =>
  value.start === value.end || value.start >= key.end;

const moveEdits = (
  text: string,
  lines: Span,
  { after, section, by }: Destination & { readonly by: number },
): readonly TextEdit[] => {
  if (after === undefined) {
    const at = span(lines.start, lines.start);
    const indent = /^ */.exec(text.slice(lines.start, lines.end))?.[0] ?? '';
    const newText = `${indent}${section ?? ''}:${lineBreakOf(text)}`;
    const [head, ...rest] = indentEdits(text, lines, by);
    if (head === undefined) return [];
    return [{ span: at, newText: newText + head.newText }, ...rest];
  }
  const end = endOfEntry(text, after);
  const isLast = end === lines.end;
  if (isLast || (end < lines.start && isBlank(text.slice(end, lines.start))))
    return indentEdits(text, lines, by);
  const moved = applyEdits(
    text.slice(lines.start, lines.end),
    indentEdits(text.slice(lines.start, lines.end), span(0, lines.end - lines.start), by),
  );
  const next = lines.end + (/^\r?\n/.exec(text.slice(lines.end, lines.end + 2))?.[0].length ?? 0);
  if (next === lines.end) return [];
  return [
    { span: span(lines.start, next), newText: '' },
    { span: span(end, end), newText: lineBreakOf(text) + moved },
  ];
};

/** Indents lines by some columns, or by fewer if the number is negative. */
const indentEdits = (text: string, lines: Span, by: number): readonly TextEdit[] => {
  const edits: TextEdit[] = [];
  for (let start = lines.start; start < lines.end; start = endOfLine(text, start) + 1) {
    const end = Math.min(endOfLine(text, start), lines.end);
    const indent = /^ */.exec(text.slice(start, end))?.[0].length ?? 0;
    if (start + indent === end) continue;
    if (by > 0) edits.push({ span: span(start, start), newText: ' '.repeat(by) });
    else if (indent > 0)
      edits.push({ span: span(start, start + Math.min(indent, -by)), newText: '' });
  }
  return edits;
};

/** Returns the start of the lines of an entry with the comments directly above it. */
const startOfEntry = (text: string, { keySpan }: DataEntry): number => {
  let start = startOfLine(text, keySpan.start);
  const lead = text.slice(start, keySpan.start);
  while (start > 0) {
    const previous = startOfLine(text, start - 1);
    const line = text.slice(previous, start);
    if (!line.startsWith(`${lead}#`)) break;
    start = previous;
  }
  return start;
};

/** Returns the end of the last line of an entry. */
const endOfEntry = (text: string, { keySpan, value }: DataEntry): number => {
  let end = Math.max(keySpan.end, value.span.end);
  while (end > keySpan.end && /\s/.test(text[end - 1] ?? '')) end -= 1;
  return endOfLine(text, end);
};

/** Returns true for blank lines and comments. */
const isBlank = (text: string): boolean =>
  text.split('\n').every((line) => /^\s*(?:#|$)/.test(line));
