/** Warnings about new finalizers whose names are not qualified. */
import { checkQualifiedName, compareBytes, foregroundFinalizer, orphanFinalizer, quoteGo } from "@drover/machinery";
import type { ObjectMeta } from "@drover/machinery";

const standard: ReadonlySet<string> = new Set([orphanFinalizer, foregroundFinalizer, "kubernetes"]);

/** Returns the warnings for added finalizers, sorted by name. */
export function finalizerWarnings({ finalizers = [] }: ObjectMeta, { finalizers: before = [] }: ObjectMeta = {}): string[] {
  const known = new Set(before);
  const added = [...new Set(finalizers)].filter((name) => !known.has(name)).toSorted(compareBytes);
  return added.flatMap((name) =>
    [...checkQualifiedName(name), ...styleProblems(name)].map((problem) => `metadata.finalizers: ${quoteGo(name)}: ${problem}`),
  );
}

function styleProblems(name: string): string[] {
  if (name.includes("/") || standard.has(name)) return [];
  return [
    `prefer a domain-qualified finalizer name ${name.includes(".") ? "including a path (/) " : ""}to avoid accidental conflicts with other finalizer writers`,
  ];
}
