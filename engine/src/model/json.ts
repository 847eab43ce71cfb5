/** JSON data with maps for objects, so that no name has a meaning of its own. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** Members in order; the last of repeated ones. */
export type JsonObject = ReadonlyMap<string, Json>;
