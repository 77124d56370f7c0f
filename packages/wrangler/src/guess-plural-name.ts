/** The plural that Wrangler gives a kind, to the letter: definitions that it named are found again. */

/**
 * "Proxy" → "Proxies", "Gateway" → "Gateways", "Switch" → "Switches". Where its English is wrong ("Shelf" → "Shelfves") it stays so;
 * give the builder of a definition `withPlural` for a kind that is new.
 */
export function guessPluralName(name: string): string {
  if (name === "" || name.toLowerCase() === "endpoints") return name;
  if (/(?:s|ch|x|sh)$/.test(name)) return `${name}es`;
  if (/fe?$/.test(name)) return `${name}ves`;
  if (/..y$/.test(name) && !/[aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return `${name}s`;
}
