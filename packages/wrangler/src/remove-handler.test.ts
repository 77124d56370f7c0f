import { ConfigMap } from "@drover/api/core/v1";
import { RetryAfterError } from "@drover/lasso";
import type { HandlerContext } from "@drover/lasso";
import type { ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ErrSkip } from "./err-skip.ts";
import { newRemoveHandler } from "./remove-handler.ts";

const key = "shop/web" as ObjectKey;
const finalizer = "wrangler.cattle.io/clean";

/** A client that answers with what it was sent, and notes it. */
function run(): { readonly context: HandlerContext; readonly sent: unknown[] } {
  const sent: unknown[] = [];
  const patch = async (_kind: unknown, name: string, { body }: { readonly body: { readonly metadata: object } }): Promise<unknown> => (
    sent.push(body),
    { metadata: { name, ...body.metadata } }
  );
  return { sent, context: { client: { patch } } as unknown as HandlerContext };
}

const object = (metadata: object): ConfigMap => ({
  metadata: { name: "web", namespace: "shop", resourceVersion: "7", uid: "u", ...metadata },
});

describe("newRemoveHandler", () => {
  it.each([
    ["no object", undefined, 0, []],
    ["a new object", object({}), 0, [[finalizer]]],
    ["an object with the finalizer", object({ finalizers: [finalizer] }), 0, []],
    ["an object that is being deleted with it", object({ finalizers: ["a/b", finalizer], deletionTimestamp: "t" }), 1, [["a/b"]]],
    ["an object that is being deleted without it", object({ finalizers: ["a/b"], deletionTimestamp: "t" }), 0, []],
  ] as const)("writes and cleans up as needed for %s", async (_title, seen, cleaned, written) => {
    let calls = 0;
    const { context, sent } = run();
    await newRemoveHandler("clean", ConfigMap, () => void calls++)(key, seen, context);
    expect([calls, sent]).toEqual([cleaned, written.map((finalizers) => ({ metadata: { resourceVersion: "7", finalizers } }))]);
  });

  it("passes on an object without the finalizer, so that the chain detects the deletion", async () => {
    const after = await newRemoveHandler("clean", ConfigMap, () => undefined)(
      key,
      object({ finalizers: [finalizer], deletionTimestamp: "t" }),
      run().context,
    );
    expect(after).toMatchObject({ metadata: { uid: "u", deletionTimestamp: "t", finalizers: [] } });
  });

  it("trap 18: retries later after ErrSkip and rethrows other errors; both keep the finalizer", async () => {
    const going = object({ finalizers: [finalizer], deletionTimestamp: "t" });
    for (const [error, expected] of [
      [new Error("later", { cause: ErrSkip }), new RetryAfterError(9)],
      [new Error("no route"), new Error("no route")],
    ] as const) {
      const { context, sent } = run();
      await expect(
        newRemoveHandler("clean", ConfigMap, () => Promise.reject(error), { skipRetryMs: 9 })(key, going, context),
      ).rejects.toEqual(expected);
      expect(sent).toEqual([]);
    }
  });

  it("rejects invalid finalizer names", () => {
    expect(() => newRemoveHandler("x", ConfigMap, () => undefined, { supersedes: ["not a name"] })).toThrow(
      /"not a name" is not a valid finalizer/,
    );
  });
});
