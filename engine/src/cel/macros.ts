/**
 * The macros and what they expand to. The shapes, with their hidden variables, are those of the
 * reference implementation: they decide run-time cost and stand in messages.
 */
import type { Release } from '../model/release.ts';
import type { CallNode, CelNode, Constant } from './ast.ts';
import { copyNode } from './copy-node.ts';
import type { TreeBuilder, WrittenCall } from './tree-builder.ts';

/** `authentication`: what the real server has. `language`: also what the language's own tests need. */
export type MacroSet = 'authentication' | 'language';

/** The written arguments don't fit: `node` is where the message points. */
export interface MacroError {
  readonly kind: 'macro-error';
  readonly message: string;
  readonly node: CelNode;
}

/** Gives the expansion, an error, or `undefined` when the call is not meant for the macro after all. */
export type MacroExpander = (
  call: CallNode,
  builder: TreeBuilder,
) => CelNode | MacroError | undefined;

export const isMacroError = (value: CelNode | MacroError): value is MacroError =>
  value.kind === 'macro-error';

/** The expander for a call, if its name, form and number of arguments are those of a macro. */
export const findMacro = (
  call: WrittenCall,
  builder: { readonly release: Release; readonly macros: MacroSet },
): MacroExpander | undefined => {
  const candidates = macrosByName.get(call.function);
  if (candidates === undefined) return undefined;
  for (const macro of candidates) {
    if (macro.receiver !== (call.target !== undefined)) continue;
    if (macro.count !== 'any' && macro.count !== call.args.length) continue;
    if (macro.since !== undefined && builder.release < macro.since) continue;
    if (macro.set === 'language' && builder.macros !== 'language') continue;
    return macro.expand;
  }
  return undefined;
};

/** Name of the hidden variable that a comprehension builds its result in. */
export const accumulator = '@result';
const olderAccumulator = '__result__';
const unusedVariable = '#unused';

/** Makes nodes that stand at the place of the macro's bracket. */
class Expansion {
  readonly #call: CallNode;
  readonly #builder: TreeBuilder;

  constructor(call: CallNode, builder: TreeBuilder) {
    this.#call = call;
    this.#builder = builder;
  }

  place() {
    return { id: this.#builder.id(), span: this.#call.span, at: this.#call.at };
  }

  literal(constant: Constant): CelNode {
    return { kind: 'literal', ...this.place(), constant };
  }

  bool(value: boolean): CelNode {
    return this.literal({ kind: 'bool', value });
  }

  int(value: bigint): CelNode {
    return this.literal({ kind: 'int', value });
  }

  ident(name: string): CelNode {
    return { kind: 'ident', ...this.place(), name };
  }

  accumulator(): CelNode {
    return this.ident(accumulator);
  }

  list(...elements: readonly CelNode[]): CelNode {
    return { kind: 'list', ...this.place(), elements, optionalIndices: [] };
  }

  emptyMap(): CelNode {
    return { kind: 'map', ...this.place(), entries: [] };
  }

  call(name: string, ...args: readonly CelNode[]): CelNode {
    return this.#anyCall(name, undefined, args);
  }

  memberCall(name: string, target: CelNode, ...args: readonly CelNode[]): CelNode {
    return this.#anyCall(name, target, args);
  }

  copy(node: CelNode): CelNode {
    return copyNode(node, () => this.#builder.id(), this.#call.at);
  }

  comprehension(parts: {
    readonly range: CelNode;
    readonly variable: string;
    readonly variable2?: string;
    readonly accumulator?: string;
    readonly init: CelNode;
    readonly condition: CelNode;
    readonly step: CelNode;
    readonly result: CelNode;
  }): CelNode {
    return {
      kind: 'comprehension',
      ...this.place(),
      iterRange: parts.range,
      iterVar: parts.variable,
      iterVar2: parts.variable2,
      accuVar: parts.accumulator ?? accumulator,
      accuInit: parts.init,
      loopCondition: parts.condition,
      loopStep: parts.step,
      result: parts.result,
    };
  }

  #anyCall(name: string, target: CelNode | undefined, args: readonly CelNode[]): CelNode {
    return {
      kind: 'call',
      ...this.place(),
      function: name,
      functionSpan: this.#call.functionSpan,
      target,
      args,
    };
  }
}

/** The parts of a macro call, with the receiver where there is one. */
interface Parts {
  readonly make: Expansion;
  readonly target: CelNode;
  readonly args: readonly CelNode[];
}

const expander =
  (expand: (parts: Parts) => CelNode | MacroError | undefined): MacroExpander =>
  (call, builder) =>
    expand({ make: new Expansion(call, builder), target: call.target ?? call, args: call.args });

const fail = (node: CelNode, message: string): MacroError => ({
  kind: 'macro-error',
  message,
  node,
});

/** The count of arguments is part of what made the macro fit. */
const argument = (args: readonly CelNode[], index: number): CelNode => {
  const node = args[index];
  if (node === undefined) throw new Error('unreachable: a macro has the arguments it asks for');
  return node;
};

const has = expander(({ make, args }) => {
  const field = argument(args, 0);
  if (field.kind !== 'select') return fail(field, 'invalid argument to has() macro');
  return { ...field, ...make.place(), testOnly: true };
});

type Variables = { readonly kind: 'variables'; readonly names: readonly [string, string?] };

const overwritesAccumulator = (name: string): boolean =>
  name === accumulator || name === olderAccumulator;

const oneVariable = (args: readonly CelNode[], notSimple: string): Variables | MacroError => {
  const node = argument(args, 0);
  if (node.kind !== 'ident') return fail(node, notSimple);
  if (overwritesAccumulator(node.name)) {
    return fail(node, 'iteration variable overwrites accumulator variable');
  }
  return { kind: 'variables', names: [node.name] };
};

const twoVariables = (args: readonly CelNode[]): Variables | MacroError => {
  const first = argument(args, 0);
  const second = argument(args, 1);
  if (first.kind !== 'ident') return fail(first, 'argument must be a simple name');
  if (second.kind !== 'ident') return fail(second, 'argument must be a simple name');
  if (first.name === second.name) return fail(second, `duplicate variable name: ${first.name}`);
  for (const node of [first, second]) {
    if (overwritesAccumulator(node.name)) {
      return fail(node, 'iteration variable overwrites accumulator variable');
    }
  }
  return { kind: 'variables', names: [first.name, second.name] };
};

type Loop = Pick<
  Parameters<Expansion['comprehension']>[0],
  'init' | 'condition' | 'step' | 'result'
>;
type LoopOf = (make: Expansion, body: readonly CelNode[]) => Loop;

const loopMacro = (variables: (args: readonly CelNode[]) => Variables | MacroError, loop: LoopOf) =>
  expander(({ make, target, args }) => {
    const found = variables(args);
    if (found.kind === 'macro-error') return found;
    const [variable, variable2] = found.names;
    const shape = loop(make, args.slice(found.names.length));
    return make.comprehension({
      range: target,
      variable,
      ...(variable2 === undefined ? {} : { variable2 }),
      ...shape,
    });
  });

const all: LoopOf = (make, body) => ({
  init: make.bool(true),
  condition: make.call('@not_strictly_false', make.accumulator()),
  step: make.call('_&&_', make.accumulator(), argument(body, 0)),
  result: make.accumulator(),
});

const exists: LoopOf = (make, body) => ({
  init: make.bool(false),
  condition: make.call('@not_strictly_false', make.call('!_', make.accumulator())),
  step: make.call('_||_', make.accumulator(), argument(body, 0)),
  result: make.accumulator(),
});

const existsOne: LoopOf = (make, body) => ({
  init: make.int(0n),
  condition: make.bool(true),
  step: make.call(
    '_?_:_',
    argument(body, 0),
    make.call('_+_', make.accumulator(), make.int(1n)),
    make.accumulator(),
  ),
  result: make.call('_==_', make.accumulator(), make.int(1n)),
});

/** A loop that adds to its accumulator: with two parts in the body, the first decides whether. */
const collect =
  (init: (make: Expansion) => CelNode, add: (make: Expansion, value: CelNode) => CelNode): LoopOf =>
  (make, body) => {
    const filter = body.length === 2 ? body[0] : undefined;
    const step = add(make, argument(body, body.length - 1));
    return {
      init: init(make),
      condition: make.bool(true),
      step: filter === undefined ? step : make.call('_?_:_', filter, step, make.accumulator()),
      result: make.accumulator(),
    };
  };

const collectList = collect(
  (make) => make.list(),
  (make, value) => make.call('_+_', make.accumulator(), make.list(value)),
);
const collectEntries = collect(
  (make) => make.emptyMap(),
  (make, value) => make.call('cel.@mapInsert', make.accumulator(), value),
);

const iteratee = (args: readonly CelNode[]) => oneVariable(args, 'argument is not an identifier');
const quantified = (args: readonly CelNode[]) =>
  oneVariable(args, 'argument must be a simple name');

const mapMacro = loopMacro(iteratee, collectList);

const filterMacro = expander(({ make, target, args }) => {
  const found = iteratee(args);
  if (found.kind === 'macro-error') return found;
  const loop = collectList(make, [argument(args, 1), argument(args, 0)]);
  return make.comprehension({ range: target, variable: found.names[0], ...loop });
});

const transformMap = expander(({ make, target, args }) => {
  const found = twoVariables(args);
  if (found.kind === 'macro-error') return found;
  const [key, value] = found.names;
  const insert = collect(
    () => make.emptyMap(),
    (_, result) => make.call('cel.@mapInsert', make.accumulator(), make.ident(key), result),
  );
  return make.comprehension({
    range: target,
    variable: key,
    ...(value === undefined ? {} : { variable2: value }),
    ...insert(make, args.slice(2)),
  });
});

/** A variable bound to one value: a loop over nothing whose result is the body. */
const bind = (make: Expansion, name: string, value: CelNode, body: CelNode): CelNode =>
  make.comprehension({
    range: make.list(),
    variable: unusedVariable,
    accumulator: name,
    init: value,
    condition: make.bool(false),
    step: make.ident(name),
    result: body,
  });

const optionalMacro = (name: string, wrap: (make: Expansion, value: CelNode) => CelNode) =>
  expander(({ make, target, args }) => {
    const variable = argument(args, 0);
    if (variable.kind !== 'ident') {
      return fail(variable, `${name}() variable name must be a simple identifier`);
    }
    const value = make.memberCall('value', make.copy(target));
    return make.call(
      '_?_:_',
      make.memberCall('hasValue', target),
      wrap(make, bind(make, variable.name, value, argument(args, 1))),
      make.call('optional.none'),
    );
  });

const sortable: ReadonlySet<CelNode['kind']> = new Set([
  'list',
  'select',
  'ident',
  'comprehension',
  'call',
]);

const sortBy = expander(({ make, target, args }) => {
  if (!sortable.has(target.kind)) {
    return fail(
      target,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  }
  const input = '@__sortBy_input__';
  const found = iteratee(args);
  if (found.kind === 'macro-error') return found;
  const keys = make.comprehension({
    range: make.ident(input),
    variable: found.names[0],
    ...collectList(make, args.slice(1)),
  });
  return bind(
    make,
    input,
    target,
    make.memberCall('@sortByAssociatedKeys', make.ident(input), keys),
  );
});

const celBind = expander(({ make, target, args }) => {
  if (target.kind !== 'ident' || target.name !== 'cel') return undefined;
  const variable = argument(args, 0);
  if (variable.kind !== 'ident') {
    return fail(variable, 'cel.bind() variable names must be simple identifiers');
  }
  return bind(make, variable.name, argument(args, 1), argument(args, 2));
});

const mayBeNumber = (node: CelNode): boolean => {
  if (node.kind === 'literal') return ['int', 'uint', 'double'].includes(node.constant.kind);
  return node.kind !== 'list' && node.kind !== 'map' && node.kind !== 'struct';
};

const extreme = (name: string, functionName: string) =>
  expander(({ make, target, args }) => {
    if (target.kind !== 'ident' || target.name !== 'math') return undefined;
    const first = args[0];
    if (first === undefined) return fail(target, `${name} requires at least one argument`);
    if (args.length === 1) {
      const fits =
        first.kind === 'list'
          ? first.elements.length > 0 && first.elements.every(mayBeNumber)
          : mayBeNumber(first);
      return fits
        ? make.call(functionName, first)
        : fail(first, `${name} invalid single argument value`);
    }
    const wrong = args.find((node) => !mayBeNumber(node));
    if (wrong !== undefined) return fail(wrong, `${name} simple literal arguments must be numeric`);
    return args.length === 2
      ? make.call(functionName, ...args)
      : make.call(functionName, make.list(...args));
  });

interface Macro {
  readonly name: string;
  readonly receiver: boolean;
  readonly count: number | 'any';
  readonly since?: Release;
  readonly set: MacroSet;
  readonly expand: MacroExpander;
}

const receiver = (name: string, count: number, expand: MacroExpander, since?: Release): Macro => ({
  name,
  receiver: true,
  count,
  expand,
  set: 'authentication',
  ...(since === undefined ? {} : { since }),
});

const table: readonly Macro[] = [
  { name: 'has', receiver: false, count: 1, set: 'authentication', expand: has },
  receiver('all', 2, loopMacro(quantified, all)),
  receiver('exists', 2, loopMacro(quantified, exists)),
  receiver('exists_one', 2, loopMacro(quantified, existsOne)),
  receiver('map', 2, mapMacro),
  receiver('map', 3, mapMacro),
  receiver('filter', 2, filterMacro),
  receiver(
    'optMap',
    2,
    optionalMacro('optMap', (make, value) => make.call('optional.of', value)),
  ),
  receiver(
    'optFlatMap',
    2,
    optionalMacro('optFlatMap', (_, value) => value),
  ),
  receiver('all', 3, loopMacro(twoVariables, all), 32),
  receiver('exists', 3, loopMacro(twoVariables, exists), 32),
  receiver('existsOne', 3, loopMacro(twoVariables, existsOne), 32),
  receiver('exists_one', 3, loopMacro(twoVariables, existsOne), 32),
  receiver('transformList', 3, loopMacro(twoVariables, collectList), 32),
  receiver('transformList', 4, loopMacro(twoVariables, collectList), 32),
  receiver('transformMap', 3, transformMap, 32),
  receiver('transformMap', 4, transformMap, 32),
  receiver('transformMapEntry', 3, loopMacro(twoVariables, collectEntries), 32),
  receiver('transformMapEntry', 4, loopMacro(twoVariables, collectEntries), 32),
  receiver('sortBy', 2, sortBy, 34),
  { ...receiver('bind', 3, celBind), set: 'language' },
  {
    ...receiver('greatest', 0, extreme('math.greatest()', 'math.@max')),
    count: 'any',
    set: 'language',
  },
  { ...receiver('least', 0, extreme('math.least()', 'math.@min')), count: 'any', set: 'language' },
];

const macrosByName: ReadonlyMap<string, readonly Macro[]> = Map.groupBy(
  table,
  (macro) => macro.name,
);

/** Names of all macros with the number of their arguments, for completion and hover. */
export const macroSignatures = (
  release: Release,
  set: MacroSet,
): readonly {
  readonly name: string;
  readonly receiver: boolean;
  readonly count: number | 'any';
}[] =>
  table.filter(
    (macro) =>
      (macro.since === undefined || macro.since <= release) &&
      (macro.set === 'authentication' || set === 'language'),
  );
