import { statusResponse } from "@drover/client/testing";
import { newInternalError } from "@drover/machinery";
import type { ObjectMeta } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { AbsentOwners } from "./absent-owners.ts";
import { attemptToDelete, blockingDependents } from "./attempt-to-delete.ts";
import { attemptToOrphan } from "./attempt-to-orphan.ts";
import { GraphState } from "./graph-state.ts";
import type { GraphEffect, GraphNode } from "./graph-state.ts";
import { NamespacedOwnerError, UnservedKindError } from "./live-objects.ts";
import { liveStage, notFound, podAnswer } from "./testing/live-stage.ts";
import type { LiveStage } from "./testing/live-stage.ts";

const identity = (
  name: string,
): { readonly apiVersion: string; readonly kind: string; readonly namespace: string; readonly name: string; readonly uid: string } => ({
  apiVersion: "v1",
  kind: "Pod",
  namespace: "shop",
  name,
  uid: name,
});
const ownerOf = (
  name: string,
  blockOwnerDeletion = true,
): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion: boolean;
} => ({ apiVersion: "v1", kind: "Pod", name, uid: name, blockOwnerDeletion });
const owned = (...owners: readonly string[]): ObjectMeta => ({ ownerReferences: owners.map((name) => ownerOf(name)) });
const foreground = { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["foregroundDeletion"] };
const answer = (name: string, metadata: ObjectMeta = {}): ReturnType<typeof podAnswer> =>
  podAnswer({ name, uid: name, resourceVersion: "7", ...metadata });

function graphOf(objects: Readonly<Record<string, ObjectMeta>>): GraphState {
  const graph = new GraphState(new AbsentOwners({ now: () => 0, max: 2 }));
  for (const [name, metadata] of Object.entries(objects)) graph.observed(identity(name), metadata);
  return graph;
}
function nodeOf(graph: GraphState, name: string): GraphNode {
  const node = graph.get(name);
  if (node === undefined) throw new Error(`${name} is not in the graph`);
  return node;
}
const attempt = (graph: GraphState, name: string, { live }: LiveStage): Promise<readonly GraphEffect[]> =>
  attemptToDelete(nodeOf(graph, name), { graph, live });
/** Without the bodies of deletions, except what they are about. */
const short = ({ requests }: LiveStage): readonly string[] =>
  requests().map((line) => line.replace(/\{.*"propagationPolicy":"(\w+)".*/, "$1"));

describe("attemptToDelete", () => {
  it("G002: reports an object that the server lacks as absent, even while it waited for dependents", async () => {
    for (const metadata of [{}, foreground]) {
      for (const gone of [notFound("a"), answer("a", { uid: "another" })]) {
        const graph = graphOf({ a: metadata, child: owned("a") });
        expect(await attempt(graph, "a", liveStage(gone))).toMatchObject([{ type: "delete", uid: "child" }]);
        expect(graph.get("a")).toBeUndefined();
      }
    }
  });

  it("G003: reads the object, then its owner, and deletes the very object it read", async () => {
    const stage = liveStage(answer("pod", owned("a")), notFound("a"), answer("pod"));
    const graph = graphOf({ pod: owned("a") });
    expect(await attempt(graph, "pod", stage)).toEqual([]);
    expect(short(stage)).toEqual(["GET shop/pod", "GET shop/a", "DELETE shop/pod Background"]);
    expect(stage.requests()[2]).toContain('"preconditions":{"uid":"pod","resourceVersion":"7"}');
  });

  it("does nothing for an object that is being deleted or has no owner", async () => {
    expect(await attempt(graphOf({ a: { deletionTimestamp: "2026-01-01T00:00:00Z" } }), "a", liveStage())).toEqual([]);
    const stage = liveStage(answer("a"));
    expect(await attempt(graphOf({ a: {} }), "a", stage)).toEqual([]);
    expect(short(stage)).toEqual(["GET shop/a"]);
  });

  it("G006: reads an absent owner once, and again after it was dropped from the cache", async () => {
    const graph = graphOf({ one: owned("a"), two: owned("a"), three: owned("a") });
    const stage = liveStage(
      answer("one", owned("a")),
      notFound("a"),
      answer("one"),
      answer("two", owned("a")),
      answer("two"),
      answer("three", owned("a")),
      notFound("a"),
      answer("three"),
    );
    await attempt(graph, "one", stage);
    await attempt(graph, "two", stage);
    for (const name of ["x", "y"]) graph.absentOwners.add(identity(name));
    await attempt(graph, "three", stage);
    expect(short(stage).filter((line) => line === "GET shop/a")).toHaveLength(2);
    stage.assertDone();
  });

  it("removes absent and waiting owners while another exists", async () => {
    const stage = liveStage(
      answer("child", owned("gone", "waits", "there")),
      notFound("gone"),
      answer("waits", foreground),
      answer("there"),
      answer("child"),
    );
    await attempt(graphOf({ child: owned("gone", "waits", "there") }), "child", stage);
    expect(stage.requests()[4]).toBe(
      'PATCH shop/child {"metadata":{"uid":"child","ownerReferences":[{"$patch":"delete","uid":"gone"},{"$patch":"delete","uid":"waits"}]}}',
    );
  });

  it("deletes in the foreground with dependents and a waiting owner; otherwise as its finalizers say", async () => {
    const withDependents = liveStage(answer("b", owned("a")), answer("a", foreground), answer("b"));
    await attempt(graphOf({ a: foreground, b: owned("a"), c: owned("b") }), "b", withDependents);
    expect(short(withDependents).at(-1)).toBe("DELETE shop/b Foreground");
    for (const [finalizer, policy] of [
      ["orphan", "Orphan"],
      ["foregroundDeletion", "Foreground"],
      ["other", "Background"],
    ] as const) {
      const alone = liveStage(answer("b", { ...owned("a"), finalizers: [finalizer] }), answer("a", foreground), answer("b"));
      await attempt(graphOf({ a: foreground, b: owned("a") }), "b", alone);
      expect(short(alone).at(-1)).toBe(`DELETE shop/b ${policy}`);
    }
  });

  it("breaks a cycle: where owner and dependent both wait, the object between them stops blocking", async () => {
    const stage = liveStage(answer("b", owned("a")), answer("a", foreground), answer("b"), answer("b"));
    await attempt(graphOf({ a: { ...foreground, ...owned("b") }, b: owned("a") }), "b", stage);
    expect(stage.requests()[2]).toBe(
      'PATCH shop/b {"metadata":{"uid":"b","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"a","uid":"a","blockOwnerDeletion":false}]}}',
    );
    expect(short(stage)[3]).toBe("DELETE shop/b Foreground");
  });

  it("removes the foreground finalizer when no dependent blocks, else processes those that do", async () => {
    const blocked = graphOf({ a: foreground, b: owned("a"), c: { ...owned("a"), ...foreground } });
    expect(await attempt(blocked, "a", liveStage(answer("a", foreground)))).toMatchObject([{ type: "delete", uid: "b" }]);
    const free = liveStage(answer("a", foreground), answer("a", foreground), answer("a"));
    await attempt(graphOf({ a: { ...foreground, ...owned("a") }, b: { ownerReferences: [ownerOf("a", false)] } }), "a", free);
    expect(free.requests()[2]).toBe('PATCH shop/a {"metadata":{"resourceVersion":"7","finalizers":null}}');
    expect(blockingDependents(nodeOf(blocked, "a")).map((node) => node.identity.name)).toEqual(["b", "c"]);
  });

  it("G014, G016: deletes nothing whose owners are uncertain (X22)", async () => {
    const odd = { ownerReferences: [{ ...ownerOf("a"), apiVersion: "v7" }] };
    const unserved = liveStage(answer("child", odd));
    await expect(attempt(graphOf({ child: odd }), "child", unserved)).rejects.toThrow(UnservedKindError);
    const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
    const space = { apiVersion: "v1", kind: "Namespace", namespace: "", name: "space", uid: "space" };
    graph.observed(space, owned("a"));
    await expect(attempt(graph, "space", liveStage(answer("space", owned("a"))))).rejects.toThrow(NamespacedOwnerError);
    await expect(
      attempt(graphOf({ child: owned("a") }), "child", liveStage(answer("child", owned("a")), statusResponse(newInternalError("down")))),
    ).rejects.toThrow("down");
  });

  it("reports an object that vanished meanwhile as absent", async () => {
    const graph = graphOf({ child: owned("a"), grandchild: owned("child") });
    expect(await attempt(graph, "child", liveStage(answer("child", owned("a")), notFound("a"), notFound("child")))).toMatchObject([
      { type: "delete", uid: "grandchild" },
    ]);
  });
});

describe("attemptToOrphan", () => {
  it("removes the owner from all dependents, then its finalizer; dependents that are gone count as done", async () => {
    const stage = liveStage(answer("b"), notFound("c"), answer("a", { finalizers: ["orphan"] }), answer("a"));
    await attemptToOrphan(nodeOf(graphOf({ a: {}, b: owned("a"), c: owned("a") }), "a"), stage.live);
    expect(stage.requests()).toEqual([
      'PATCH shop/b {"metadata":{"uid":"b","ownerReferences":[{"$patch":"delete","uid":"a"}]}}',
      'PATCH shop/c {"metadata":{"uid":"c","ownerReferences":[{"$patch":"delete","uid":"a"}]}}',
      "GET shop/a",
      'PATCH shop/a {"metadata":{"resourceVersion":"7","finalizers":null}}',
    ]);
  });

  it("G009: keeps the finalizer when a patch fails, and names the dependent", async () => {
    const stage = liveStage(answer("b"), statusResponse(newInternalError("down")));
    await expect(attemptToOrphan(nodeOf(graphOf({ a: {}, b: owned("a"), c: owned("a") }), "a"), stage.live)).rejects.toThrow(
      "cannot orphan [v1/Pod, namespace: shop, name: c, uid: c]",
    );
    expect(stage.requests()).toHaveLength(2);
  });
});
