/** The four patch types and their content types. */

/** Type of a patch: RFC 6902, RFC 7386, strategic merge, or an apply configuration. */
export type PatchType = "json" | "merge" | "strategic" | "apply";

const contentTypes: Readonly<Record<PatchType, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

/** All types, in the order in which the server lists their content types. */
export const patchTypes: readonly PatchType[] = ["json", "merge", "strategic", "apply"];

/** Returns the Content-Type header of a PATCH request. */
export function patchContentType(type: PatchType): string {
  return contentTypes[type];
}

/**
 * Returns the patch type of a Content-Type header; undefined for any other. As on the server, parameters after the first semicolon
 * are ignored and the rest must match exactly.
 */
export function parsePatchContentType(header: string): PatchType | undefined {
  const end = header.indexOf(";");
  const mediaType = end > 0 ? header.slice(0, end) : header;
  return patchTypes.find((type) => contentTypes[type] === mediaType);
}
