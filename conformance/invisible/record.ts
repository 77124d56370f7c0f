/**
 * What a program has seen during a script, in lines that can be compared.
 *
 *     handler → EventWindow → net changes;   calls, reads, reconciles → Line[] → differenceOf
 *
 * Allowed between two configurations: changes of one object within one window may be merged, because a handler that is busy gets them as
 * one. So a window counts as the difference between its start and its end: at most one deletion and one addition, or one update. In every
 * configuration the events of a handler must fit together: an addition only of an object that it does not know, and so on.
 */
import { decodeJson, encodeJson, fieldTree, keptFields } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { Change } from "@drover/cache";
import { scriptKinds } from "./script-kinds.ts";

export interface Line {
  /** What happened: "3 told Pod default/a updated". */
  readonly what: string;
  /** Objects as text, in the order of their keys. */
  readonly objects: readonly string[];
  /** Kind whose declared fields limit the objects, if they are from a cache. */
  readonly cached?: string;
}

interface Known {
  readonly uid: string;
  readonly text: string;
}

/** Changes of one informer since the program last caught up. */
export class EventWindow {
  readonly #kind: string;
  readonly #before = new Map<string, Known>();
  readonly #known = new Map<string, Known>();
  readonly #deleted = new Map<string, Known>();
  readonly #touched = new Set<string>();
  /** Version by key, as the handler knows them. */
  readonly versions = new Map<string, string>();
  /** Changes that do not fit to what the handler was told before. */
  readonly contradictions: string[] = [];

  constructor(kind: string) {
    this.#kind = kind;
  }

  add(change: Change): void {
    const { key, type, object } = change;
    const known = this.#known.get(key);
    const is: Known = { uid: object.metadata.uid ?? "", text: encodeJson(object) };
    this.#touched.add(key);
    if ((known === undefined) !== (type === "added")) this.contradictions.push(`${type} ${key}, which is ${known?.text ?? "unknown"}`);
    if (type !== "added" && known !== undefined && known.uid !== is.uid) this.contradictions.push(`${type} ${key} with another uid`);
    if (type === "updated" && encodeJson(change.before) !== known?.text)
      this.contradictions.push(`updated ${key}, before ${encodeJson(change.before)}, but known ${known?.text}`);
    if (type === "deleted") {
      if (!this.#deleted.has(key)) this.#deleted.set(key, is);
      this.#known.delete(key);
      this.versions.delete(key);
    } else {
      this.#known.set(key, is);
      this.versions.set(key, object.metadata.resourceVersion ?? "");
    }
  }

  /** Returns the net changes and begins the next window. */
  close(at: string): readonly Line[] {
    const lines: Line[] = [];
    const told = (key: string, type: string, ...objects: readonly string[]): void =>
      void lines.push({ what: `${at} told ${this.#kind} ${key} ${type}`, objects, cached: this.#kind });
    for (const key of [...this.#touched].toSorted()) {
      const [before, now, deleted] = [this.#before.get(key), this.#known.get(key), this.#deleted.get(key)];
      const isSame = before !== undefined && before.uid === now?.uid;
      if (before !== undefined && !isSame) told(key, "deleted", deleted?.text ?? "missing");
      if (now !== undefined && !isSame) told(key, "added", now.text);
      if (now !== undefined && isSame) told(key, "updated", before.text, now.text);
      if (now === undefined) this.#before.delete(key);
      else this.#before.set(key, now);
    }
    this.#touched.clear();
    this.#deleted.clear();
    return lines;
  }
}

/** Returns what is left of the lines of whole objects if informers declare fields. */
export const limited = (lines: readonly Line[]): readonly Line[] =>
  lines.map(({ cached, ...line }) => {
    if (cached === undefined) return line;
    const tree = fieldTree(["apiVersion", "kind", "metadata", ...(scriptKinds[cached]?.fields ?? [])]);
    return { ...line, cached, objects: line.objects.map((text) => encodeJson(keptFields(decodeJson(text) as JsonObject, tree))) };
  });

/** Returns the first difference in words; undefined if there is none. */
export function differenceOf(expected: readonly Line[], actual: readonly Line[]): string | undefined {
  for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
    const [wanted, got] = [textOf(expected[index]), textOf(actual[index])];
    if (wanted !== got) return `line ${index}\nexpected ${wanted}\ngot      ${got}`;
  }
  return undefined;
}

const textOf = (line: Line | undefined): string => (line === undefined ? "nothing" : [line.what, ...line.objects].join("\n         "));
