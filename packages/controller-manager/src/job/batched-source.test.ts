import { Job } from "@drover/api/batch/v1";
import type { Change } from "@drover/cache";
import type { KeyRequest, Source } from "@drover/controller";
import type { KubeObject } from "@drover/machinery";
import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { batched } from "./batched-source.ts";

const key = objectKey("work", "shop");
const of = (generation: number): KubeObject => ({ metadata: { name: "work", namespace: "shop", generation } });
const added: Change = { type: "added", key, uid: "u", object: of(1), isInInitialList: false };
const updated = (generation: number): Change => ({
  type: "updated",
  key,
  uid: "u",
  before: of(1),
  object: of(generation),
  isResync: false,
});
const request = (change: Change, via: "owner" | "self" = "self"): KeyRequest => ({
  cause: { type: "change", via, change, kind: Job, cluster: "" },
});

async function waits(
  source: (requests: readonly KeyRequest[]) => Source,
  ...requests: readonly KeyRequest[]
): Promise<readonly (number | undefined)[]> {
  const seen: (number | undefined)[] = [];
  await source(requests).run(
    { request: (_key, { afterMs }) => void seen.push(afterMs), synced: () => void seen.push(-1), waitingFor: () => undefined },
    new AbortController().signal,
  );
  return seen;
}

const telling = (requests: readonly KeyRequest[]): Source => ({
  name: "told",
  run: (sink) => {
    for (const each of requests) sink.request(key, each);
    sink.synced();
    sink.waitingFor(undefined);
    return Promise.resolve();
  },
});

describe("batched", () => {
  it("J054: requests added, deleted and changed objects at once, and delays everything else", async () => {
    const deleted: Change = { type: "deleted", key, uid: "u", object: of(1), isFinalStateUnknown: false };
    expect(
      await waits(
        (requests) => batched(telling(requests), 1000),
        request(added),
        request(deleted),
        request(updated(2)),
        request(updated(1)),
        request(added, "owner"),
      ),
    ).toEqual([undefined, undefined, undefined, 1000, 1000, -1]);
  });

  it("returns the source itself without a delay", () => {
    const source = telling([]);
    expect(batched(source, 0)).toBe(source);
  });

  it("keeps name and needs", () => {
    expect(batched({ ...telling([]), needs: [] }, 5)).toMatchObject({ name: "told", needs: [] });
  });
});
