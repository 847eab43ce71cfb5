/** A header field as HPACK knows it (RFC 7541): two texts of bytes. */

/** A field as it stands in a table or a block: both texts are one character a byte (latin1). */
export interface Field {
  readonly name: string;
  readonly value: string;
}

/** What a field counts in a table and in a list, in bytes: RFC 7541 4.1. */
export const sizeOf = (field: Field): number =>
  field.name.length + field.value.length + fieldOverhead;

/** What a field counts beside its texts: RFC 7541 4.1. */
export const fieldOverhead = 32;
