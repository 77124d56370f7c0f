/** Prints a history: requests, writes and events in order of time. */
import type { History, ListRecord, Operation, WatchSession } from "./history.ts";

export function tellHistory({ base, writes, operations, lists, sessions, errors }: History): string {
  const lines = [...operations.flatMap(tellOperation), ...lists.flatMap(tellList), ...sessions.flatMap(tellSession)].toSorted(
    ([a], [b]) => a - b,
  );
  const ledger = writes.map(
    ({ revision, id, before, after }) =>
      `  @${revision} ${id} ${after === undefined ? "deleted" : before === undefined ? "created" : "changed"}${after === undefined ? "" : ` ${tellContent(after)}`}`,
  );
  return [
    `the store, from @${base.revision} on:`,
    ...ledger,
    "what was asked and told:",
    ...lines.map(([tick, text]) => `  ${String(tick).padStart(4)} ${text}`),
    ...errors.map((error) => `error: ${error}`),
  ].join("\n");
}

type Line = readonly [tick: number, text: string];

function tellOperation({ client, id, verb, expected, wish, invoked, returned, answer }: Operation): readonly Line[] {
  const wanted = wish === undefined ? "" : ` ${JSON.stringify(wish)}`;
  const asks: Line = [invoked, `${client}: ${verb} ${id}${expected === undefined ? "" : ` if it is at @${expected}`}${wanted}`];
  if (answer === undefined) return [[invoked, `${asks[1]}, and goes away`]];
  const { code, reason, version } = answer;
  return [
    asks,
    [
      returned,
      `${client}: ${verb} ${id} → ${code} ${reason}${version === undefined ? "" : `@${version.revision} ${tellContent(version.content)}`}`,
    ],
  ];
}

function tellList({ name, path, pages, invoked, returned }: ListRecord): readonly Line[] {
  const shown = pages.map(
    ({ code, revision, items }) => `${code} @${revision} [${items.map(({ id, version }) => `${id}@${version.revision}`).join(" ")}]`,
  );
  return [
    [invoked, `${name}: list ${path}`],
    [returned, `${name}: list → ${shown.join(", then ")}`],
  ];
}

function tellSession({ name, path, events, end, invoked, returned }: WatchSession): readonly Line[] {
  const told = events.map(({ tick, type, id, revision, endsInitial }): Line => [
    tick,
    `${name}: reads ${type} ${id}@${revision}${endsInitial ? ", which ends the present state" : ""}`,
  ]);
  const last =
    end.kind === "expired"
      ? `expired (compacted at @${end.compacted})`
      : end.kind === "failed"
        ? `failed with ${end.code}: ${end.message}`
        : end.kind;
  return [[invoked, `${name}: ${path}`], ...told, [returned, `${name}: ${last}`]];
}

/** Omits fields that the server adds and the checks ignore. */
function tellContent({ metadata, ...rest }: History["writes"][number]["after"] & object): string {
  const { labels, finalizers, deletionTimestamp } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  return JSON.stringify({ ...rest, labels, finalizers, deletionTimestamp });
}
