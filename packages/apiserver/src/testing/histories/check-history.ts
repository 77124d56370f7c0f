/** Checks a history against every guarantee of the server. */
import { checkSession } from "./check-session.ts";
import type { History, Operation, Violation } from "./history.ts";
import { findNoOrder } from "./linearizable.ts";
import { checkList } from "./list-state.ts";
import { Truth } from "./truth.ts";

export function checkHistory(history: History): readonly Violation[] {
  const truth = new Truth(history);
  return [
    ...history.errors.map((message): Violation => ({ check: "errors", message })),
    ...checkWrites(history),
    ...history.sessions.flatMap((session) => checkSession(session, truth)),
    ...history.lists.flatMap((list) =>
      checkList(list, truth).map((problem): Violation => ({ check: "list", message: `list of ${list.name} (${list.path}): ${problem}` })),
    ),
    ...checkOperations(history, truth),
  ];
}

/** Every write has its own revision, and none is missing. */
export function checkWrites({ base, writes }: Pick<History, "base" | "writes">): readonly Violation[] {
  return writes.flatMap(({ revision, id }, index) =>
    revision === base.revision + index + 1
      ? []
      : [{ check: "revisions", message: `write ${index + 1} of ${id} has revision ${revision} instead of ${base.revision + index + 1}` }],
  );
}

function checkOperations({ operations }: History, truth: Truth): readonly Violation[] {
  const byId = new Map<string, Operation[]>();
  for (const operation of operations) byId.set(operation.id, [...(byId.get(operation.id) ?? []), operation]);
  return [...byId].flatMap(([id, own]) => {
    const problem = findNoOrder(own, truth.initial(id), truth);
    if (problem === undefined) return [];
    const stuck = problem.stuck.map(({ client, verb, answer }) => `${verb} of ${client} (${answer?.code ?? "lost"})`);
    return [
      {
        check: "linearizable",
        message: `${id}: after ${problem.done.length} of ${own.length} requests, at ${problem.state?.revision ?? "none"}, none of these can come next: ${stuck.join(", ")}`,
      },
    ];
  });
}
