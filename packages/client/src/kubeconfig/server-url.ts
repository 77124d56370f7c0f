/** The `server` of a cluster as a URL, with client-go's rules for what is left out. */

/** What is wrong with it, or undefined. */
export function serverProblem(server: string): string | undefined {
  const url = withScheme(server);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // The text itself is shown only when it cannot hold a password.
  const shown = server.includes("@") ? "" : ` ${JSON.stringify(server)}`;
  if (parsed === undefined || parsed.host === "" || !/^https?:$/.test(parsed.protocol)) return `server${shown} is no URL; write https://host:port`;
  if (parsed.username !== "" || parsed.password !== "") return "server has a user name in it; put username and password under the user";
  if (url !== server && parsed.pathname !== "/") return `server${shown} has a path but no scheme; write https:// before it`;
  return undefined;
}

/** With scheme, without query, fragment and slashes at the end. The server has no problem. */
export function serverUrl(server: string): string {
  const { origin, pathname } = new URL(withScheme(server));
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Without a scheme it is plain HTTP, as for kubectl. */
const withScheme = (server: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `http://${server}`);
