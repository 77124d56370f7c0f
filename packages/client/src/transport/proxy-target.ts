/**
 * Decides whether to use a proxy for a server, and parses its URL.
 *
 *     proxy URL, rules of exception → proxyTarget → ProxyTarget → the dialer
 */
import { Secret } from "@drover/machinery";
import type { ServerAddress } from "./server-address.ts";
import { unbracketed, urlOf } from "./server-address.ts";

export interface ProxyTarget {
  /** "http" and "https" use CONNECT; "https" is itself reached through TLS. */
  readonly kind: "http" | "https" | "socks5";
  readonly host: string;
  readonly port: number;
  /** For messages: "proxy.example:3128". */
  readonly authority: string;
  readonly login?: { readonly username: string; readonly password: Secret };
}

const kinds: ReadonlyMap<string, readonly [kind: ProxyTarget["kind"], port: number]> = new Map([
  ["http:", ["http", 80]],
  ["https:", ["https", 443]],
  ["socks5:", ["socks5", 1080]],
  ["socks5h:", ["socks5", 1080]],
]);

/** Parses a proxy's URL. Throws a `TypeError` that does not quote the password. */
export function proxyTarget(proxyUrl: string | Secret): ProxyTarget {
  const url = urlOf(typeof proxyUrl === "string" ? proxyUrl : proxyUrl.reveal());
  const known = url === undefined ? undefined : kinds.get(url.protocol);
  if (url === undefined || url.hostname === "") throw new TypeError("proxy-url is not a URL such as http://proxy.example:3128");
  if (known === undefined) throw new TypeError(`proxy-url must begin with http://, https:// or socks5://, not with ${url.protocol}//`);
  const port = url.port === "" ? known[1] : Number(url.port);
  const login =
    url.username === "" && url.password === ""
      ? {}
      : { login: { username: plain(url.username), password: new Secret(plain(url.password)) } };
  return { kind: known[0], host: unbracketed(url.hostname), port, authority: `${url.hostname}:${port}`, ...login };
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Proxy settings of the environment. */
export interface ProxyRules {
  /** `HTTPS_PROXY`. @default none */
  readonly httpsProxy?: string;
  /** `HTTP_PROXY`. @default none */
  readonly httpProxy?: string;
  /** `NO_PROXY`: comma-separated names, addresses and networks to reach directly. @default none */
  readonly noProxy?: string;
}

/**
 * Returns the proxy for a server by Go's rules: by scheme, never for localhost and loopback, never for what `noProxy`
 * matches. A proxy without a scheme is an HTTP proxy.
 */
export function proxyFromRules(
  server: Pick<ServerAddress, "secure" | "host" | "port">,
  { httpsProxy = "", httpProxy = "", noProxy = "" }: ProxyRules,
): string | undefined {
  const proxy = server.secure ? httpsProxy : httpProxy;
  if (proxy === "" || isLoopback(server.host) || matchesNoProxy(server, noProxy)) return undefined;
  return /^[a-z0-9]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * Reports whether `noProxy` matches the server: "*", "example.com" (and all below), ".example.com" (only below),
 * "10.0.0.0/8", "10.1.2.3", each with an optional port.
 */
export function matchesNoProxy({ host, port }: Pick<ServerAddress, "host" | "port">, noProxy: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  const address = addressBits(name);
  return noProxy
    .split(",")
    .map((rule) => rule.trim().toLowerCase())
    .some((rule) => {
      if (rule === "") return false;
      if (rule === "*") return true;
      const network = /^(.*)\/(\d{1,3})$/.exec(rule);
      if (network !== null) return address !== undefined && inNetwork(address, addressBits(network[1] ?? ""), Number(network[2]));
      const [ruleHost, rulePort] = splitPort(rule);
      if (rulePort !== undefined && rulePort !== port) return false;
      if (address !== undefined) return addressBits(ruleHost) === address;
      const suffix = ruleHost.replace(/^\*(?=\.)/, "");
      return suffix.startsWith(".") ? name.endsWith(suffix) : name === suffix || name.endsWith(`.${suffix}`);
    });
}

function splitPort(rule: string): readonly [host: string, port: number | undefined] {
  const bracketed = /^\[(.*)\](?::(\d+))?$/.exec(rule);
  if (bracketed !== null) return [bracketed[1] ?? "", bracketed[2] === undefined ? undefined : Number(bracketed[2])];
  const parts = rule.split(":");
  return parts.length === 2 ? [parts[0] ?? "", Number(parts[1])] : [rule, undefined];
}

const inNetwork = (address: string, network: string | undefined, bits: number): boolean =>
  network !== undefined && network.length === address.length && bits <= network.length && address.startsWith(network.slice(0, bits));

/** Returns an IP address as 32 or 128 binary digits; undefined for names. */
function addressBits(host: string): string | undefined {
  const four = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host);
  if (four !== null) {
    const bytes = four.slice(1).map(Number);
    return bytes.every((byte) => byte < 256) ? bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("") : undefined;
  }
  if (!/^[0-9a-f:]*:[0-9a-f:]*$/.test(host)) return undefined;
  const [head = "", tail, ...rest] = host.split("::");
  if (rest.length > 0) return undefined;
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = 8 - front.length - back.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...front, ...Array.from({ length: missing }, () => "0"), ...back];
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))
    ? groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0")).join("")
    : undefined;
}
