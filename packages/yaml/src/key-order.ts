/** Order of printed keys: letters after everything else, and numbers within names by value ("a2" before "a10"). */

/**
 * Returns the keys in the order of printing, whatever their order was. Go's rule has circles ("1e" before "9" before "10" before "1e"), in
 * which the result depends on the start, so the keys are sorted by their characters first.
 */
export const sortKeys = (keys: readonly string[]): string[] => keys.toSorted().toSorted(compareKeys);

/** Compares two keys for sorting. */
export function compareKeys(a: string, b: string): number {
  let index = 0;
  while (index < a.length && index < b.length && a.charCodeAt(index) === b.charCodeAt(index)) index++;
  if (index === a.length || index === b.length) return a.length - b.length;
  if (isLowSurrogate(a, index) || isLowSurrogate(b, index)) index--;
  const [left, right] = [characterAt(a, index), characterAt(b, index)];
  const [leftIsLetter, rightIsLetter] = [/^\p{L}/u.test(left), /^\p{L}/u.test(right)];
  if (leftIsLetter && rightIsLetter) return compareCodes(left, right);
  if (leftIsLetter || rightIsLetter) return leftIsLetter ? 1 : -1;
  return compareNumbers(a, b, index) || compareCodes(left, right);
}

/** Compares the numbers that start at `index`; a non-digit counts as an empty number. */
function compareNumbers(a: string, b: string, index: number): number {
  const [left, right] = [digitsFrom(a, index), digitsFrom(b, index)];
  // After other digits a zero is not a leading one: 10 is more than 1.
  const lead = (a.charAt(index) === "0" || b.charAt(index) === "0") && /[^0]/.test(digitsBefore(a, index)) ? "1" : "";
  const [leftValue, rightValue] = [BigInt(`${lead}${left}` || 0), BigInt(`${lead}${right}` || 0)];
  if (leftValue !== rightValue) return leftValue < rightValue ? -1 : 1;
  return left.length - right.length;
}

const digitsFrom = (text: string, index: number): string => /^[0-9]*/.exec(text.slice(index))?.[0] ?? "";
const digitsBefore = (text: string, index: number): string => /[0-9]*$/.exec(text.slice(0, index))?.[0] ?? "";
const isLowSurrogate = (text: string, index: number): boolean =>
  index > 0 && text.charCodeAt(index) >= 0xdc00 && text.charCodeAt(index) <= 0xdfff;
const characterAt = (text: string, index: number): string => String.fromCodePoint(text.codePointAt(index) ?? 0);
const compareCodes = (a: string, b: string): number => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
