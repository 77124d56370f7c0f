/** Validation of object names. Each kind has its rule; most use one of these four. */
import { byteLength } from "../go/byte-text.ts";
import { checkDns1035Label, checkDns1123Label, checkDns1123Subdomain } from "./dns-name.ts";

/**
 * Returns what is wrong with a name; nothing for a valid one. With `prefix` the text is a `generateName`, to which characters are
 * appended, so it may end in a dash.
 */
export type NameCheck = (name: string, options?: { readonly prefix?: boolean }) => string[];

/** Domain names; the rule of most kinds and of all custom resources. */
export const checkSubdomainName: NameCheck = (name, { prefix = false } = {}) =>
  checkDns1123Subdomain(prefix ? maskTrailingDash(name) : name);

/** DNS labels; the rule of namespaces. */
export const checkLabelName: NameCheck = (name, { prefix = false } = {}) => checkDns1123Label(prefix ? maskTrailingDash(name) : name);

/** DNS labels that start with a letter. */
export const checkLabel1035Name: NameCheck = (name, { prefix = false } = {}) => checkDns1035Label(prefix ? maskTrailingDash(name) : name);

/** Names that fit into a path; the minimum for every kind, and all that roles and bindings require. */
export const checkPathSegmentName: NameCheck = (name, { prefix = false } = {}) => {
  if (!prefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  if (!name.includes("/") && !name.includes("%")) return [];
  return ["/", "%"].filter((illegal) => name.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
};

// The server replaces the last two bytes, not only the dash, by a letter. A multi-byte character is cut in the middle and stays
// invalid, which underscores represent here.
function maskTrailingDash(name: string): string {
  if (name.length < 2 || !name.endsWith("-")) return name;
  const last = /.(?=-$)/su.exec(name.slice(-3))?.[0] ?? "";
  return `${name.slice(0, -1 - last.length)}${"_".repeat(byteLength(last) - 1)}a`;
}
