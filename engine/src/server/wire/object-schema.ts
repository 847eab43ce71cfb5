/** Protobuf schemas of stored objects, derived from the field numbers in their shapes. */
import type { FieldRow, Shape, StructShape } from '../../resources/shape.ts';
import type { ProtoField, ProtoSchema, ProtoType } from './protobuf-schema.ts';

const schemas = new WeakMap<StructShape, ProtoSchema>();

/** Returns the schema of a shape; fields without a number have no protobuf form and are omitted. */
export const schemaOfShape = (shape: StructShape): ProtoSchema => {
  const cached = schemas.get(shape);
  if (cached !== undefined) return cached;
  const schema = shape.rows
    .flatMap((row) => fieldOf(row) ?? [])
    .sort((left, right) => left.number - right.number);
  schemas.set(shape, schema);
  return schema;
};

const fieldOf = ({ name, shape, number, written }: FieldRow): ProtoField | undefined => {
  if (number === undefined) return undefined;
  const type = typeOf(shape, written === 'when-set');
  return type === undefined ? undefined : { number, name, type };
};

const typeOf = (shape: Shape, isOptional: boolean): ProtoType | undefined => {
  switch (shape.kind) {
    case 'string':
      return 'string';
    case 'bool':
      return isOptional ? 'optionalBool' : 'bool';
    case 'int64':
      return isOptional ? 'optionalInt64' : 'int64';
    case 'time':
      return 'time';
    case 'bytes':
      return 'bytes';
    case 'struct': {
      const schema = schemaOfShape(shape);
      return isOptional ? { kind: 'message', schema, optional: true } : { kind: 'message', schema };
    }
    case 'list':
      if (shape.item.kind === 'string') return 'strings';
      return shape.item.kind === 'struct'
        ? { kind: 'messages', schema: schemaOfShape(shape.item) }
        : undefined;
    case 'map':
      return { kind: shape.value.kind === 'bytes' ? 'bytesMap' : 'stringMap' };
    default:
      return undefined;
  }
};
