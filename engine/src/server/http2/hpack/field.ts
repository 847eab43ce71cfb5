/** A header field of HPACK (RFC 7541): two strings of bytes. */

/** A field of a table or a header block; both strings have one character for each byte (latin1). */
export interface Field {
  readonly name: string;
  readonly value: string;
}

/** Returns the size of a field in a table and in a list, in bytes (RFC 7541, 4.1). */
export const sizeOf = (field: Field): number =>
  field.name.length + field.value.length + fieldOverhead;

/** The size of a field in addition to its strings (RFC 7541, 4.1). */
export const fieldOverhead = 32;
