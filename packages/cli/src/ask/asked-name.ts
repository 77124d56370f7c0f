/**
 * The object of a question, as people write it.
 *
 *     ["widgets/shop"] or ["widgets", "shop"] → readName → AskedName, or an error text
 */
import { definedOnly } from "@drover/machinery";

/** The object of a question. */
export interface AskedName {
  readonly kind: string;
  readonly name: string;
  /** @default the namespace of the operator's connection */
  readonly namespace?: string;
}

/** Reads KIND/NAME, or KIND NAME as kubectl. */
export function readName(command: string, words: readonly string[], namespace: string | undefined): AskedName | string {
  const [kind = "", name = "", ...more] = words.length === 1 ? (words[0] ?? "").split("/") : words;
  if (kind === "" || name === "" || more.length > 0 || name.includes("/"))
    return `${command} needs one object as KIND/NAME, not "${words.join(" ")}"; the namespace is an option: -n NAMESPACE`;
  return { kind, name, ...definedOnly({ namespace }) };
}

/** Returns the parameters of a question about the object. */
export const nameParameters = ({ kind, name, namespace }: AskedName): [string, string][] => [
  ["kind", kind],
  ["name", name],
  ...(namespace === undefined ? [] : [["namespace", namespace] as [string, string]]),
];
