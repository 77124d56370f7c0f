/**
 * The `server` of a cluster as a URL, with client-go's defaults for missing parts.
 */

/** Returns what is wrong with it, or undefined. */
export function serverProblem(server: string): string | undefined {
  const url = withScheme(server);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // The message quotes the text only if it cannot contain a password.
  const shown = server.includes("@") ? "" : ` ${JSON.stringify(server)}`;
  if (parsed === undefined || parsed.host === "" || !/^https?:$/.test(parsed.protocol))
    return `server${shown} is not a URL; write https://host:port`;
  if (hasLogin(server)) return `server ${loginInServer}`;
  if (url !== server && parsed.pathname !== "/") return `server${shown} has a path but no scheme; write https:// before it`;
  return undefined;
}

/** The fix for a server URL with a user name. */
export const loginInServer = "contains a user name; remove it, and set username and password of the user";

/** Reports whether the URL contains a user name, or something that might be one. */
export function hasLogin(server: string): boolean {
  if (!server.includes("@")) return false;
  const url = withScheme(server);
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** Returns the URL with scheme, without query, fragment and trailing slashes. Requires a valid server. */
export function serverUrl(server: string): string {
  const { origin, pathname } = new URL(withScheme(server));
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Without a scheme it is plain HTTP, as in kubectl. */
const withScheme = (server: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `http://${server}`);
