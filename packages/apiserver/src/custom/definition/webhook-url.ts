/** Parses URLs as Go's net/url does, as far as webhooks need it. */
import { quoteGo } from "@drover/machinery";

export interface WebhookUrl {
  readonly scheme: string;
  readonly host: string;
  /** Without the at sign; undefined when absent. */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

/** Returns the parts of a URL, or Go's error message. */
export function parseWebhookUrl(text: string): WebhookUrl | string {
  const hash = text.indexOf("#");
  const whole = hash < 0 ? text : text.slice(0, hash);
  const fragment = hash < 0 ? "" : text.slice(hash + 1);
  const url = parseWithoutFragment(whole);
  const problem = typeof url === "string" ? url : escapeProblem(fragment);
  if (problem !== undefined) return `parse ${quoteGo(typeof url === "string" ? whole : text)}: ${problem}`;
  return { ...(url as Omit<WebhookUrl, "fragment">), fragment };
}

function parseWithoutFragment(text: string): Omit<WebhookUrl, "fragment"> | string {
  // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
  if (/[\u0000-\u001f\u007f]/.test(text)) return "net/url: invalid control character in URL";
  if (text.startsWith(":")) return "missing protocol scheme";
  const scheme = /^([a-zA-Z][-+.a-zA-Z0-9]*):/.exec(text)?.[1];
  const afterScheme = scheme === undefined ? text : text.slice(scheme.length + 1);
  const [rest = ""] = afterScheme.split("?", 1);
  const url = { scheme: scheme?.toLowerCase() ?? "", host: "", user: undefined, query: afterScheme.slice(rest.length + 1) };
  if (!rest.startsWith("/")) {
    if (scheme !== undefined) return url;
    if (/^[^/]*:/.test(rest)) return "first path segment in URL cannot contain colon";
  }
  if (!rest.startsWith("//") || (scheme === undefined && rest.startsWith("///"))) return escapeProblem(rest) ?? url;
  const slash = rest.indexOf("/", 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  const problem = hostProblem(host) ?? escapeProblem(slash < 0 ? "" : rest.slice(slash));
  return problem ?? { ...url, host, user: at < 0 ? undefined : authority.slice(0, at) };
}

function hostProblem(host: string): string | undefined {
  const close = host.lastIndexOf("]");
  if (host.startsWith("[") && close < 0) return "missing ']' in host";
  const colon = host.startsWith("[") ? close + 1 : host.indexOf(":");
  const port = colon < 0 ? "" : host.slice(colon);
  if (!/^(?::\d*)?$/.test(port)) return `invalid port ${quoteGo(port)} after host`;
  // In a host, escapes are allowed only for non-ASCII bytes.
  const odd = /%(?:[0-7][0-9a-fA-F]|(?![0-9a-fA-F]{2}).{0,2})|[^-A-Za-z0-9_.~!"$&'()*+,;:=<>[\]%\u0080-\u{10ffff}]/u.exec(host)?.[0];
  if (odd === undefined) return undefined;
  return odd.startsWith("%") ? `invalid URL escape ${quoteGo(odd)}` : `invalid character ${quoteGo(odd)} in host name`;
}

function escapeProblem(text: string): string | undefined {
  const odd = /%(?![0-9a-fA-F]{2}).{0,2}/su.exec(text)?.[0];
  return odd === undefined ? undefined : `invalid URL escape ${quoteGo(odd)}`;
}
