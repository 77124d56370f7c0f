import { ApiError, newGone, newResourceExpired } from "@drover/machinery";
import type { KubeObject, ListOptions } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { versionOf } from "../source/parsed-version.ts";
import { listSnapshot } from "./reflector-pages.ts";
import type { VersionPage, VersionSource } from "../source/version-source.ts";

const call = { signal: new AbortController().signal };
const version = (name: string) => versionOf<KubeObject>({ metadata: { name, uid: name, resourceVersion: "5" } });
const page = (names: readonly string[], token?: string, resourceVersion = "9"): VersionPage<KubeObject> => ({
  items: names.map(version),
  resourceVersion,
  continue: token,
  poison: [{ key: undefined, resourceVersion: undefined, message: `bad in ${names.join()}` }],
});

/** Returns scripted responses in order, and records the requests. */
function scripted(answers: readonly (VersionPage<KubeObject> | Error)[]): VersionSource<KubeObject> & { readonly asked: ListOptions[] } {
  const asked: ListOptions[] = [];
  return {
    asked,
    description: "things",
    supportsWatchList: false,
    list: async (options) => {
      const answer = answers[asked.push(options) - 1];
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error("not in the script");
      return answer;
    },
    watch: () => {
      throw new Error("not here");
    },
  };
}

describe("listSnapshot", () => {
  it("reads all pages, with the version of the first, and sends a version only with the first", async () => {
    const source = scripted([page(["a", "b"], "t1"), page(["c"], "t2", "11"), page([])]);
    const snapshot = await listSnapshot(
      source,
      { resourceVersion: "5", resourceVersionMatch: "NotOlderThan", labelSelector: "x" },
      2,
      call,
    );
    expect(snapshot.objects.map(({ key }) => key)).toEqual(["a", "b", "c"]);
    expect(snapshot.resourceVersion).toBe("9");
    expect(snapshot.poison).toHaveLength(3);
    expect(source.asked).toEqual([
      { resourceVersion: "5", resourceVersionMatch: "NotOlderThan", labelSelector: "x", limit: 2 },
      { labelSelector: "x", limit: 2, continue: "t1" },
      { labelSelector: "x", limit: 2, continue: "t2" },
    ]);
  });

  it("requests the whole list once when a later page has expired, with the version of the first", async () => {
    const source = scripted([page(["a"], "t1"), new ApiError(newResourceExpired("old")), page(["a", "b"], undefined, "12")]);
    const snapshot = await listSnapshot(source, { resourceVersion: "5" }, 1, call);
    expect(snapshot).toMatchObject({ resourceVersion: "12", objects: [{ key: "a" }, { key: "b" }] });
    expect(source.asked.at(-1)).toEqual({ resourceVersion: "5" });
  });

  it("rejects when the whole list is paged and expires again, and when the first page has expired", async () => {
    const gone = new ApiError(newGone("old"));
    await expect(listSnapshot(scripted([page(["a"], "t1"), gone, page(["a"], "t2"), gone]), {}, 1, call)).rejects.toBe(gone);
    await expect(listSnapshot(scripted([gone]), {}, 1, call)).rejects.toBe(gone);
  });

  it("passes on other errors unchanged", async () => {
    const failure = new Error("no");
    await expect(listSnapshot(scripted([page(["a"], "t1"), failure]), {}, 1, call)).rejects.toBe(failure);
  });

  it("rejects when the server returns the same continue token twice", async () => {
    await expect(listSnapshot(scripted([page(["a"], "t"), page(["a"], "t")]), {}, 1, call)).rejects.toThrow(
      "the same continue token twice",
    );
  });

  it("sends no limit when the page size is 0, and stops between pages after an abort", async () => {
    const source = scripted([page(["a"])]);
    await listSnapshot(source, {}, 0, call);
    expect(source.asked).toEqual([{}]);
    const stopped = AbortSignal.abort(new Error("stop"));
    await expect(listSnapshot(scripted([page(["a"], "t1")]), {}, 1, { signal: stopped })).rejects.toThrow("stop");
  });
});
