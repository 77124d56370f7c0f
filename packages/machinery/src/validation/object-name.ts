/** What the name of an object may be. Each kind has its rule; most follow one of these four. */
import { byteLength } from "../go/byte-text.ts";
import { checkDns1035Label, checkDns1123Label, checkDns1123Subdomain } from "./dns-name.ts";

/**
 * Says what is wrong with a name, nothing when it is fine. With `prefix` the text is a `generateName`, which gets more characters at
 * its end, so a dash there does no harm.
 */
export type NameCheck = (name: string, options?: { readonly prefix?: boolean }) => string[];

/** Names that are domain names; the rule of most kinds and of all custom resources. */
export const checkSubdomainName: NameCheck = (name, { prefix = false } = {}) =>
  checkDns1123Subdomain(prefix ? maskTrailingDash(name) : name);

/** Names that are one label of a domain name; the rule of namespaces. */
export const checkLabelName: NameCheck = (name, { prefix = false } = {}) => checkDns1123Label(prefix ? maskTrailingDash(name) : name);

/** Names that are one label and start with a letter. */
export const checkLabel1035Name: NameCheck = (name, { prefix = false } = {}) => checkDns1035Label(prefix ? maskTrailingDash(name) : name);

/** Names that only have to fit into a path; the least every kind asks for, and all that roles and their bindings do. */
export const checkPathSegmentName: NameCheck = (name, { prefix = false } = {}) => {
  if (!prefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return ["/", "%"].filter((illegal) => name.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
};

// The server cuts off two bytes, not only the dash, and puts a letter in their place. A character of several bytes is cut in the
// middle and stays illegal, for which underscores stand here.
function maskTrailingDash(name: string): string {
  if (name.length < 2 || !name.endsWith("-")) return name;
  const last = /.(?=-$)/su.exec(name.slice(-3))?.[0] ?? "";
  return `${name.slice(0, -1 - last.length)}${"_".repeat(byteLength(last) - 1)}a`;
}
