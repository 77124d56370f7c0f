/** The Content-Type header. */

/** A media type and its parameters, all names in lower case. */
export interface ContentType {
  /** "application/json". */
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const mediaTypeForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// `name=token` or `name="quoted text"`, up to the next semicolon.
const parameter = /^\s*([^\s=;"]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))\s*(?:;|$)/;

/** Parses the header; undefined when it is not a media type. The server treats an absent header as JSON. */
export function parseContentType(header: string): ContentType | undefined {
  const split = header.indexOf(";");
  const mediaType = (split === -1 ? header : header.slice(0, split)).trim().toLowerCase();
  if (!mediaTypeForm.test(mediaType)) return undefined;
  const parameters = new Map<string, string>();
  let rest = split === -1 ? "" : header.slice(split + 1);
  while (rest.trim() !== "") {
    const found = parameter.exec(rest);
    const name = found?.[1]?.toLowerCase() ?? "";
    if (found === null || !token.test(name) || parameters.has(name)) return undefined;
    parameters.set(name, found[2]?.replaceAll(/\\(.)/gs, "$1") ?? found[3] ?? "");
    rest = rest.slice(found[0].length);
  }
  return { mediaType, parameters };
}

/** Writes the header; quotes values that are not single words. */
export function formatContentType({ mediaType, parameters }: ContentType): string {
  const tail = [...parameters].map(
    ([name, value]) => `;${name}=${token.test(value) ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`}`,
  );
  return mediaType + tail.join("");
}

/** Media type of JSON bodies and responses. */
export const jsonMediaType: string = "application/json";
