import { describe, expect, it } from "vitest";
import type { RevisionControl } from "../history/revision-control.ts";
import { member, revisionOf, statefulSet } from "../testing/stateful-set-objects.ts";
import { revisionsToForget, syncRevisions } from "./set-revisions.ts";

/** Records and executes calls. */
function control(): Pick<RevisionControl, "create" | "renumber"> & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    create: ({ revision, collisionCount = 0, labels, annotations }) => {
      asked.push(`create ${revision} ${collisionCount} ${JSON.stringify(labels)} ${JSON.stringify(annotations)}`);
      return Promise.resolve({ revision: { metadata: { name: "web-created" }, revision }, collisionCount: collisionCount + 1 });
    },
    renumber: (revision, number) => {
      asked.push(`renumber ${revision.metadata.name} ${number}`);
      return Promise.resolve({ ...revision, revision: number });
    },
  };
}

const [first, second] = [revisionOf("web-a", { image: "web:1", revision: 1 }), revisionOf("web-b", { image: "web:2", revision: 4 })];

describe("syncRevisions", () => {
  it("creates a first revision as current and update, labelled like pods, with the set's annotations", async () => {
    const here = control();
    const { revisions, collisionCount } = await syncRevisions(
      statefulSet({ annotations: { note: "x" }, status: { collisionCount: 2 } }),
      [],
      here,
    );
    expect(here.asked).toEqual(['create 1 2 {"app":"web"} {"note":"x"}']);
    expect([revisions.current.metadata.name, revisions.update.metadata.name, collisionCount]).toEqual(["web-created", "web-created", 3]);
  });

  it("writes nothing while the newest has the template", async () => {
    const here = control();
    const { revisions, collisionCount } = await syncRevisions(
      statefulSet({ image: "web:2", status: { currentRevision: "web-a" } }),
      [first, second],
      here,
    );
    expect([revisions, collisionCount, here.asked]).toEqual([{ current: first, update: second }, 0, []]);
  });

  it("increments the number for a new template", async () => {
    const here = control();
    const { revisions } = await syncRevisions(statefulSet({ image: "web:3", status: { currentRevision: "web-b" } }), [first, second], here);
    expect([revisions.current, here.asked[0]?.split(" ").slice(0, 2)]).toEqual([second, ["create", "5"]]);
  });

  it("renumbers an older revision when the template returns to it", async () => {
    const here = control();
    const { revisions } = await syncRevisions(statefulSet({ image: "web:1", status: { currentRevision: "web-b" } }), [first, second], here);
    expect([here.asked, revisions.update.revision, revisions.current]).toEqual([["renumber web-a 5"], 5, second]);
  });

  it("uses the update revision when the current one is unknown", async () => {
    const { revisions } = await syncRevisions(
      statefulSet({ image: "web:2", status: { currentRevision: "web-gone" } }),
      [first, second],
      control(),
    );
    expect(revisions.current).toBe(second);
  });

  it("writes nothing for a set that is being deleted", async () => {
    const here = control();
    const { revisions } = await syncRevisions(
      statefulSet({ isDeleting: true, image: "web:9", status: { currentRevision: "web-a", updateRevision: "web-b" } }),
      [],
      here,
    );
    expect([revisions.current.metadata.name, revisions.update.metadata.name, here.asked]).toEqual(["web-a", "web-b", []]);
  });
});

describe("revisionsToForget", () => {
  const history = [1, 2, 3, 4, 5, 6].map((number) => revisionOf(`web-${number}`, { revision: number }));
  const forgotten = (revisionHistoryLimit: number, pods = [member(0, { revision: "web-2" })]): readonly (string | undefined)[] =>
    revisionsToForget(
      statefulSet({ revisionHistoryLimit }),
      history,
      { current: revisionOf("web-5"), update: revisionOf("web-6") },
      pods,
    ).map(({ metadata }) => metadata.name);
  it("returns the oldest unused revisions beyond the limit", () => {
    expect(forgotten(0)).toEqual(["web-1", "web-3", "web-4"]);
    expect(forgotten(2)).toEqual(["web-1"]);
    expect(forgotten(3)).toEqual([]);
    expect(forgotten(1, [])).toEqual(["web-1", "web-2", "web-3"]);
  });

  it("returns none with a negative limit", () => {
    expect(forgotten(-1)).toEqual([]);
  });
});
