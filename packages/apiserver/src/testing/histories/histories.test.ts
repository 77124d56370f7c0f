import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeHost } from "../../http/node-host.ts";
import { historyPlan } from "./history-plan.ts";
import { HistoryServer } from "./history-server.ts";
import type { History } from "./history.ts";
import { investigate } from "./investigate.ts";
import { tellHistory } from "./tell-history.ts";

const isLong = process.env["DROVER_LONG"] === "1";
/** One history takes a few hundredths of a second. */
const count = isLong ? Math.min(10_000, fc.readConfigureGlobal().numRuns ?? 10_000) : 50;
/** Too rare for a small number of histories. */
const rare: ReadonlySet<string> = new Set(["a watch falls behind while it is on"]);
const firstSeed = Number(process.env["DROVER_SEED"] ?? 20);
const timeout = 600_000;

/** Situations that the histories must cover, or they prove nothing. */
const happenings: Readonly<Record<string, (history: History) => boolean>> = {
  "an object is deleted": ({ writes }) => writes.some(({ after }) => after === undefined),
  "a finalizer delays a deletion": ({ writes }) => writes.some(({ after }) => JSON.stringify(after ?? {}).includes("deletionTimestamp")),
  "requests for one object overlap": ({ operations }) =>
    operations.some(({ id, invoked, returned }) =>
      operations.some((other) => other.id === id && other.invoked < invoked && other.returned > invoked && returned < Infinity),
    ),
  "a write conflicts": ({ operations }) => operations.some(({ answer }) => answer?.reason === "Conflict"),
  "a client disconnects": ({ operations }) => operations.some(({ answer }) => answer === undefined),
  "a slow watcher receives several writes at once": ({ sessions }) =>
    sessions.some(({ events }) => events.some(({ revision, newest }) => newest > revision + 2)),
  "an object comes into a selector": ({ sessions, writes, base }) =>
    sessions.some(({ events }) =>
      events.some(
        ({ type, revision }) => type === "ADDED" && writes[revision - base.revision - 1]?.before !== undefined && revision > base.revision,
      ),
    ),
  "an object leaves a selector": ({ sessions, writes, base }) =>
    sessions.some(({ events }) =>
      events.some(({ type, revision }) => type === "DELETED" && writes[revision - base.revision - 1]?.after !== undefined),
    ),
  "a watch is read to its end": ({ sessions }) => sessions.some(({ end, events }) => end.kind === "drained" && events.length > 2),
  "a resumed watch delivers events": ({ sessions }) =>
    sessions.some(({ asked = 0, wantsInitial, events }) => asked > 0 && !wantsInitial && events.some(({ type }) => type !== "BOOKMARK")),
  "a watch from now on delivers events": ({ sessions }) =>
    sessions.some(
      ({ asked, wantsInitial, events }) => asked === undefined && !wantsInitial && events.some(({ type }) => type !== "BOOKMARK"),
    ),
  "a watch starts with the current state": ({ sessions }) =>
    sessions.some(({ events }) => events.some(({ endsInitial }, index) => endsInitial && index > 0)),
  "a watch ends by itself": ({ sessions }) => sessions.some(({ end }) => end.kind === "closed"),
  "a watch is too old from the start": ({ sessions }) => sessions.some(({ end, events }) => end.kind === "expired" && events.length === 0),
  "a watch falls behind while it is on": ({ sessions }) => sessions.some(({ end, events }) => end.kind === "expired" && events.length > 0),
  "a bookmark is sent": ({ sessions }) =>
    sessions.some(({ events }) => events.some(({ type, endsInitial }) => type === "BOOKMARK" && !endsInitial)),
  "a list has pages": ({ lists }) => lists.some(({ pages }) => pages.length > 1),
  "a list is too old": ({ lists }) => lists.some(({ pages }) => pages.some(({ code }) => code === 410)),
};

/** Removes times, and uids, which depend on everything that ran before. */
const storyOf = (history: History): string => tellHistory(history).replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, "");

describe("random histories of the API server", () => {
  it(
    `satisfy all watch and object guarantees: ${count} of them, from seed ${firstSeed} on`,
    async () => {
      const server = new HistoryServer(nodeHost);
      const missing = new Set(Object.keys(happenings).filter((name) => isLong || !rare.has(name)));
      for (let seed = firstSeed; seed < firstSeed + count; seed++) {
        const { history, story } = await investigate(server, seed);
        expect(story).toBeUndefined();
        for (const name of missing) if (happenings[name]?.(history) === true) missing.delete(name);
      }
      expect([...missing]).toEqual([]);
    },
    timeout,
  );

  it(
    "are equal for the same seed, whatever ran before",
    async () => {
      const server = new HistoryServer(nodeHost);
      for (const seed of [3, 4, 5]) {
        const first = await new HistoryServer(nodeHost).run(historyPlan(seed));
        expect(storyOf(await server.run(historyPlan(seed)))).toBe(storyOf(first));
      }
    },
    timeout,
  );
});
