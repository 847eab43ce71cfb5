import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../engine/src/model/json.ts';
import { comparePaths, pathOf } from '../../../../engine/src/node/store/object-path.ts';
import { newResourceCache } from '../../../../engine/src/node/store/resource-cache.ts';
import type { StoredObject } from '../../../../engine/src/ports/store.ts';

const change = fc.record({
  kind: fc.constantFrom('added' as const, 'deleted' as const),
  namespace: fc.constantFrom('', 'a', 'a-b', 'b', 'é'),
  name: fc.constantFrom('a', 'b', 'a-b', 'z', '\u{1f600}', '\uffee'),
  isRead: fc.boolean(),
});

test('lists objects in the order of their paths after any changes', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const cache = newResourceCache();
      const expected = new Map<string, JsonObject>();
      for (const [index, { kind, namespace, name, isRead }] of changes.entries()) {
        const key = { resource: 'secrets', namespace, name };
        const object: JsonObject = new Map([['revision', String(index)]]);
        const stored: StoredObject = { key, object, revision: String(index) };
        cache.apply({ kind, stored });
        if (kind === 'added') expected.set(pathOf(key), object);
        else expected.delete(pathOf(key));
        if (isRead) cache.list(undefined);
      }
      const paths = [...expected.keys()].sort(comparePaths);
      expect(cache.list(undefined)).toEqual(paths.map((path) => expected.get(path)));
      expect(cache.list(undefined)).toBe(cache.list(undefined));
    }),
  );
});
