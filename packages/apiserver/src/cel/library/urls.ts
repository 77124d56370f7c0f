/** `url()`: absolute URLs, parsed as Go's net/url does. */
import { formatCheck, quoteGo } from "@drover/machinery";
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { urlType } from "../check/signature.ts";
import { mapOf } from "../value/collections.ts";
import { failure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { listOf } from "../value/value.ts";
import type { CelMap, CelObject } from "../value/value.ts";

interface Url {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

const urlValue = (url: Url): CelObject => ({
  kind: "object",
  type: urlType,
  value: url,
  size: 1,
  equals: (other) => url.text === (other as Url).text,
});
const urlOf = ({ value }: CelObject): Url => value as Url;

/** Whether the text is an absolute URL or an absolute path. */
export const isUrl = (text: string): boolean => formatCheck("uri")?.(text) === true;

/** Go's error message for an invalid URL. */
export function urlProblem(text: string): string {
  const why = (): string => {
    if (text === "") return "empty url";
    // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
    if (/[\x00-\x1f\x7f]/.test(text)) return "net/url: invalid control character in URL";
    if (text.startsWith(":")) return "missing protocol scheme";
    if (!/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(text) && !text.startsWith("/")) return "invalid URI for request";
    const escape = /%(?:[^0-9a-fA-F]|[0-9a-fA-F][^0-9a-fA-F]|.?$)[^]?/.exec(text)?.[0];
    if (escape !== undefined) return `invalid URL escape ${quoteGo(escape.slice(0, 3))}`;
    const host = /^[^/]*\/\/([^/?#]*)/.exec(text)?.[1] ?? "";
    const port = /:([^\]]*)$/.exec(host)?.[1];
    if (port !== undefined && /\D/.test(port)) return `invalid port ${quoteGo(`:${port}`)} after host`;
    if (host.includes(" ")) return 'invalid character " " in host name';
    return "invalid URI for request";
  };
  return `parse ${quoteGo(text)}: ${why()}`;
}

function read(text: string): CelObject | CelFailure {
  if (!isUrl(text)) return failure(`URL parse error during conversion from string: ${urlProblem(text)}`);
  const [, scheme = "", rest = ""] = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?([^]*)$/.exec(text.split("#", 1)[0] ?? "") ?? [];
  const [before = "", ...queries] = rest.split("?");
  const [, authority, path = ""] = /^(?:\/\/([^/]*))?([^]*)$/.exec(before) ?? [];
  const isOpaque = scheme !== "" && !before.startsWith("/");
  const host = authority?.slice(authority.lastIndexOf("@") + 1) ?? "";
  return urlValue({
    text,
    scheme: scheme.toLowerCase(),
    host: unescapeText(host),
    path: isOpaque ? "" : escapePath(path),
    query: queries.join("?"),
  });
}

function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Keeps a path as written if its escapes are valid; escapes characters that paths may not contain. */
function escapePath(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]/gu, (char) => encodeURIComponent(char));
}

function portOf(host: string): string {
  return /:(\d*)$/.exec(host.startsWith("[") ? host.slice(host.indexOf("]") + 1) : host)?.[1] ?? "";
}

function nameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(host)?.[1];
  return bracketed ?? host.replace(/:\d*$/, "");
}

/** Drops pairs with invalid escapes or semicolons. */
function queryOf({ query }: Url): CelMap {
  const values = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "" || pair.includes(";") || /%(?![0-9a-fA-F]{2})/.test(pair)) continue;
    const [name = "", ...value] = pair.split("=");
    const plain = (text: string): string => unescapeText(text.replaceAll("+", " "));
    const known = values.get(plain(name));
    if (known === undefined) values.set(plain(name), [plain(value.join("="))]);
    else known.push(plain(value.join("=")));
  }
  return mapOf(Array.from(values, ([name, all]) => [name, listOf(all)] as const));
}

/** The overloads. */
export const urlFunctions: readonly Overload[] = [
  overload("string_to_url", "url(string) url", read),
  overload("is_url_string", "isURL(string) bool", isUrl),
  overload("url_get_scheme", "url . getScheme() string", (object: CelObject) => urlOf(object).scheme),
  overload("url_get_host", "url . getHost() string", (object: CelObject) => urlOf(object).host),
  overload("url_get_hostname", "url . getHostname() string", (object: CelObject) => nameOf(urlOf(object).host)),
  overload("url_get_port", "url . getPort() string", (object: CelObject) => portOf(urlOf(object).host)),
  overload("url_get_escaped_path", "url . getEscapedPath() string", (object: CelObject) => urlOf(object).path),
  overload("url_get_query", "url . getQuery() map(string, list(string))", (object: CelObject) => queryOf(urlOf(object))),
];
