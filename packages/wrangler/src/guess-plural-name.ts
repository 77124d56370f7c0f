/** Wrangler's plural of a kind, letter by letter, so that definitions it named are found. */

/**
 * "Proxy" → "Proxies", "Gateway" → "Gateways", "Switch" → "Switches". Keeps Wrangler's wrong plurals ("Shelf" →
 * "Shelfves"); use `withPlural` for a new kind.
 */
export function guessPluralName(name: string): string {
  if (name === "" || name.toLowerCase() === "endpoints") return name;
  if (/(?:s|ch|x|sh)$/.test(name)) return `${name}es`;
  if (/fe?$/.test(name)) return `${name}ves`;
  if (/..y$/.test(name) && !/[aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return `${name}s`;
}
