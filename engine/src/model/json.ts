/** JSON data with maps for objects, so that no member name has a special meaning. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** Members in order; the last one of duplicates. */
export type JsonObject = ReadonlyMap<string, Json>;
