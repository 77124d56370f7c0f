/** The four kinds of patch and the content types that announce them. */

/** What a patch document is: RFC 6902, RFC 7386, a strategic merge, or a configuration for server-side apply. */
export type PatchType = "json" | "merge" | "strategic" | "apply";

const contentTypes: Readonly<Record<PatchType, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

/** All kinds, in the order in which the server lists their content types. */
export const patchTypes: readonly PatchType[] = ["json", "merge", "strategic", "apply"];

/** The Content-Type header of a PATCH request. */
export function patchContentType(type: PatchType): string {
  return contentTypes[type];
}

/**
 * The kind of patch a Content-Type header announces; undefined when it announces none. As on the server, parameters after the first
 * semicolon are ignored and the rest must match to the letter.
 */
export function parsePatchContentType(header: string): PatchType | undefined {
  const end = header.indexOf(";");
  const mediaType = end > 0 ? header.slice(0, end) : header;
  return patchTypes.find((type) => contentTypes[type] === mediaType);
}
