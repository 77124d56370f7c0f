/**
 * Checks that a list equals the state at its revision, complete and in order on all pages, and that the revision satisfies the
 * request.
 */
import { jsonEqual } from "@drover/machinery";
import type { ListPage, ListRecord } from "./history.ts";
import type { Truth } from "./truth.ts";

/** Returns one sentence per problem. */
export function checkList(list: ListRecord, truth: Truth): readonly string[] {
  const refused = list.pages.flatMap((page, index) => checkCode(list, page, index));
  const pages = list.pages.filter(({ code }) => code === 200);
  const [first] = pages;
  if (refused.length > 0 || first === undefined) return refused;
  const { revision } = first;
  return [...checkRevision(list, pages, revision), ...checkItems(list, pages, [...truth.stateAt(revision, list.scope)], revision)];
}

function checkCode(
  { mode, asked, pages, floor }: ListRecord,
  { code, compacted: [before, after] }: ListPage,
  index: number,
): readonly string[] {
  const exact = index > 0 ? (pages[0]?.revision ?? 0) : mode === "exact" ? asked : Infinity;
  if (code === 200) return exact < before ? [`page ${index + 1} shows ${exact}, and what was before ${before} was forgotten`] : [];
  if (code === 410 && exact < after) return [];
  // A list waits for a future revision until it times out.
  if (code === 504 && asked > floor) return [];
  return [
    code === 410
      ? `page ${index + 1} at ${exact} was refused as too old, and ${after} was remembered`
      : `page ${index + 1} was answered with ${code}`,
  ];
}

function checkRevision({ mode, asked, floor, newestAtEnd }: ListRecord, pages: readonly ListPage[], revision: number): readonly string[] {
  const problems: string[] = [];
  if (pages.some((page) => page.revision !== revision))
    problems.push(`pages are of different revisions: ${pages.map((page) => page.revision).join(", ")}`);
  if (mode === "exact" && revision !== asked) problems.push(`${asked} was asked for, and ${revision} was answered`);
  if (mode === "latest" && revision < floor) problems.push(`the answer is of ${revision}, and the store was at ${floor} when it was asked`);
  if (mode === "not-older-than" && revision < asked) problems.push(`the answer is of ${revision}, older than ${asked}`);
  if (revision > newestAtEnd) problems.push(`the answer is of ${revision}, and the store was at ${newestAtEnd}`);
  return problems;
}

function checkItems(
  { scope, isUnfiltered }: ListRecord,
  pages: readonly ListPage[],
  state: readonly (readonly [string, { readonly revision: number; readonly content: ListPage["items"][number]["version"]["content"] }])[],
  revision: number,
): readonly string[] {
  const problems: string[] = [];
  const items = pages.flatMap((page) => page.items);
  const isWhole = pages.at(-1)?.hasMore === false;
  items.forEach(({ id, version }, index) => {
    const [expectedId, expected] = state[index] ?? [];
    if (id !== expectedId || version.revision !== expected?.revision)
      problems.push(
        `item ${index + 1} is ${id}@${version.revision} instead of ${expectedId === undefined ? "none" : `${expectedId}@${expected?.revision ?? 0}`} in ${scope.text} at ${revision}`,
      );
    else if (!jsonEqual(version.content, expected.content))
      problems.push(`${id}@${version.revision} is ${JSON.stringify(version.content)} instead of ${JSON.stringify(expected.content)}`);
  });
  if (isWhole && items.length < state.length)
    problems.push(`${state.length - items.length} items are missing in ${scope.text} at ${revision}`);
  let shown = 0;
  for (const page of pages) {
    shown += page.items.length;
    const left = isUnfiltered && page.hasMore ? state.length - shown : undefined;
    if (page.remaining !== left)
      problems.push(`remainingItemCount is ${page.remaining ?? "not there"} instead of ${left ?? "not there"} after ${shown} items`);
  }
  return problems;
}
