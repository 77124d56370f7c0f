/**
 * The tag of an image reference: an optional registry, a path, a tag, a digest.
 *
 *     "nginx" → latest      "localhost:5000/web:1.2" → 1.2      "web@sha256:…" → none      "Web" → none, it is invalid
 */

/** Returns the tag of an image; "latest" without tag and digest; undefined for a digest or an invalid reference. */
export function imageTag(image: string): string | undefined {
  if (identifier.test(image)) return undefined;
  const { domain, rest } = splitDomain(image);
  const [name, digest] = cut(rest, "@");
  const [path, tag] = cut(name, ":");
  if (!isRepository(domain, path)) return undefined;
  if (tag !== undefined && !tagPattern.test(tag)) return undefined;
  if (digest !== undefined && !isDigest(digest)) return undefined;
  return tag ?? (digest === undefined ? "latest" : undefined);
}

/** Returns the default pull policy: Always for "latest" only. */
export const defaultPullPolicy = (image: string | undefined): "Always" | "IfNotPresent" =>
  imageTag(image ?? "") === "latest" ? "Always" : "IfNotPresent";

const pathBytesMax = 255;
const identifier = /^[a-f0-9]{64}$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const pathComponent = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const digestLengths: ReadonlyMap<string, number> = new Map([
  ["sha256", 64],
  ["sha384", 96],
  ["sha512", 128],
]);

function splitDomain(image: string): { readonly domain: string; readonly rest: string } {
  const [first, rest] = cut(image, "/");
  if (rest === undefined) return { domain: "docker.io", rest: `library/${image}` };
  if (first === "docker.io" || first === "index.docker.io")
    return { domain: "docker.io", rest: rest.includes("/") ? rest : `library/${rest}` };
  const isDomain = first === "localhost" || /[.:]/.test(first) || first.toLowerCase() !== first;
  return isDomain ? { domain: first, rest } : { domain: "docker.io", rest: image };
}

// Checks the parts one by one, so that no regular expression backtracks over a long text.
function isRepository(domain: string, path: string): boolean {
  if (!path.split("/").every((part) => pathComponent.test(part))) return false;
  if (isDomainAndPort(domain)) return path.length <= pathBytesMax;
  return pathComponent.test(domain) && domain.length + 1 + path.length <= pathBytesMax;
}

function isDomainAndPort(text: string): boolean {
  const match = /^(?:\[[a-fA-F0-9:]+\]|([^:[\]]+))(?::[0-9]+)?$/.exec(text);
  if (match === null) return false;
  return (
    match[1] === undefined ||
    match[1].split(".").every((label) => /^[a-zA-Z0-9-]+$/.test(label) && !label.startsWith("-") && !label.endsWith("-"))
  );
}

function isDigest(text: string): boolean {
  const [algorithm, hex] = cut(text, ":");
  return hex !== undefined && hex.length === digestLengths.get(algorithm) && /^[a-f0-9]+$/.test(hex);
}

/** Splits at the first separator; the second part is undefined without one. */
function cut(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
