/**
 * The parsed address of a server.
 */

export interface ServerAddress {
  readonly secure: boolean;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** Prefix of every path, without trailing slash; mostly "". */
  readonly basePath: string;
  /** Always with the port: "example.com:443", "[::1]:6443". */
  readonly authority: string;
  /** As browsers and Go write it: without a default port. */
  readonly hostHeader: string;
}

/** Parses "https://example.com:6443/base". Throws a `TypeError` that names the problem, without quoting a password. */
export function parseServerAddress(server: string): ServerAddress {
  const url = urlOf(server);
  if (url === undefined) throw new TypeError("the server's address is not a URL such as https://example.com:6443");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new TypeError(`the server's address must begin with https:// or http://, not with ${url.protocol}//`);
  if (url.username !== "" || url.password !== "")
    throw new TypeError(`the server's address (${url.host}) must not contain a user name or password; put them into the credentials`);
  if (url.search !== "" || url.hash !== "") throw new TypeError(`the server's address (${url.host}) must not have a query or a fragment`);
  const secure = url.protocol === "https:";
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  return {
    secure,
    host: unbracketed(url.hostname),
    port,
    basePath: url.pathname.replace(/\/+$/, ""),
    authority: `${url.hostname}:${port}`,
    hostHeader: url.host,
  };
}

/** "[::1]" → "::1". */
export function unbracketed(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** A URL, or undefined. */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
