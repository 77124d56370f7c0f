/** The `server` of a cluster as a URL, with client-go's rules for what is left out. */

/** What is wrong with it, or undefined. */
export function serverProblem(server: string): string | undefined {
  const url = withScheme(server);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // The text itself is shown only when it cannot hold a password.
  const shown = server.includes("@") ? "" : ` ${JSON.stringify(server)}`;
  if (parsed === undefined || parsed.host === "" || !/^https?:$/.test(parsed.protocol))
    return `server${shown} is no URL; write https://host:port`;
  if (hasLogin(server)) return `server ${loginInServer}`;
  if (url !== server && parsed.pathname !== "/") return `server${shown} has a path but no scheme; write https:// before it`;
  return undefined;
}

/** The fix for a server with a user name. */
export const loginInServer = "has a user name in it; take it out, and put username and password under the user";

/** Whether a user name, or what might be one, stands in it. */
export function hasLogin(server: string): boolean {
  if (!server.includes("@")) return false;
  const url = withScheme(server);
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** With scheme, without query, fragment and slashes at the end. The server has no problem. */
export function serverUrl(server: string): string {
  const { origin, pathname } = new URL(withScheme(server));
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Without a scheme it is plain HTTP, as for kubectl. */
const withScheme = (server: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `http://${server}`);
