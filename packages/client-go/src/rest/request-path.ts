/** Paths as the request builder puts them together: joined and cleaned as Go's `path.Join` does it, then escaped for the wire. */

/** Joins parts with slashes and resolves "." and ".." in what comes out; empty parts do not count. "" when there is nothing. */
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

// A lone surrogate has no form in UTF-8.
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Escapes what may not stand in a path; slashes stay. */
export function escapePath(path: string): string {
  const escaped = encodeURI(path.replaceAll(loneSurrogate, "\ufffd"));
  return escaped.replaceAll(/[!'()*?#]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Takes escapes back; undefined when one is broken. */
export function unescapePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
