/** The format uri: an absolute URI or an absolute path, as a server parses a request target. */
import { isIPv4, isIPv6 } from "./format-network.ts";

/** Whether the text is `*`, starts with a slash or a scheme, and is well formed as far as the server checks. */
export function isRequestUri(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the pattern searches for control characters
  if (text === "" || /[\x00-\x1f\x7f]/.test(text)) return false;
  if (text === "*") return true;
  if (text.startsWith(":")) return false;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1];
  const [rest = ""] = (scheme === undefined ? text : text.slice(scheme.length + 1)).split("?", 1);
  if (!rest.startsWith("/")) return scheme !== undefined;
  if (scheme === undefined || !rest.startsWith("//")) return isEscaped(rest);
  const pathStart = rest.indexOf("/", 2);
  const authority = pathStart < 0 ? rest.slice(2) : rest.slice(2, pathStart);
  return isAuthority(scheme.toLowerCase(), authority) && isEscaped(pathStart < 0 ? "" : rest.slice(pathStart));
}

/** Whether every percent sign starts an escape. */
const isEscaped = (text: string): boolean => !/%(?![0-9a-fA-F]{2})/.test(text);

function isAuthority(scheme: string, authority: string): boolean {
  const at = authority.lastIndexOf("@");
  if (!isHost(scheme, authority.slice(at + 1))) return false;
  const user = authority.slice(0, Math.max(at, 0));
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) && isEscaped(user);
}

function isHost(scheme: string, host: string): boolean {
  const open = host.lastIndexOf("[");
  if (open > 0) return false;
  if (open === 0) return isBracketed(host);
  const first = host.indexOf(":");
  // Database URLs have lists of hosts with ports ("a:1,b:2"), so only the web's schemes are strict about colons.
  const colon = scheme === "http" || scheme === "https" ? first : host.lastIndexOf(":");
  if (first >= 0 && !isPort(host.slice(colon))) return false;
  return isHostText(host);
}

const isPort = (text: string): boolean => /^(?::[0-9]*)?$/.test(text);

/** ASCII must be unescaped, from a list of allowed characters; escapes are only for bytes beyond ASCII and for the percent sign. */
const isHostText = (text: string): boolean =>
  /^(?:%(?:25|[89a-fA-F][0-9a-fA-F])|[A-Za-z0-9\-_.~!"$&'()*+,;:=<>[\]]|[\u0080-\uffff])*$/.test(text);
const isZoneText = (text: string): boolean => /^(?:%(?:[0-9a-fA-F]{2})|[A-Za-z0-9\-_.~!"$&'()*+,;:=<>[\]]|[\u0080-\uffff])*$/.test(text);

/** What an escape in a zone may represent: an allowed character, a space, or the percent sign. */
const hidden = /^[A-Za-z0-9\-_.~!"$&'()*+,;:=<>[\] %]$/;

function isBracketed(host: string): boolean {
  const close = host.lastIndexOf("]");
  if (close < 0 || !isPort(host.slice(close + 1))) return false;
  const name = host.slice(1, close);
  const zoneAt = name.indexOf("%25");
  const address = zoneAt < 0 ? name : name.slice(0, zoneAt);
  if (!isHostText(address) || address.includes("%")) return false;
  if (zoneAt >= 0) {
    const zone = name.slice(zoneAt + 3);
    if (zone === "" || !isZoneText(zone)) return false;
    for (const [, code = ""] of zone.matchAll(/%([0-9a-fA-F]{2})/g)) {
      if (!hidden.test(String.fromCharCode(Number.parseInt(code, 16)))) return false;
    }
  }
  return !isIPv4(address, "strict") && isIPv6(address, "strict");
}
