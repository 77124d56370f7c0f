/** Paths of requests: joined and cleaned like Go's `path.Join`, then escaped. */

/** Joins non-empty parts with slashes and resolves "." and ".."; returns "" if all parts are empty. */
export function joinPath(...parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== "").join("/");
  if (joined === "") return "";
  const rooted = joined.startsWith("/");
  const segments: string[] = [];
  for (const segment of joined.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.length > 0 && segments.at(-1) !== "..") segments.pop();
    else if (!rooted) segments.push("..");
  }
  const clean = segments.join("/");
  return rooted ? `/${clean}` : clean || ".";
}

// A lone surrogate cannot be encoded in UTF-8.
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Escapes characters that a path must not contain; keeps slashes. */
export function escapePath(path: string): string {
  const escaped = encodeURI(path.replaceAll(loneSurrogate, "\ufffd"));
  return escaped.replaceAll(/[!'()*?#]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Decodes escapes; returns undefined if one is malformed. */
export function unescapePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
