import { gunzipSync, gzipSync } from "node:zlib";
import { ConfigMap, Secret } from "@drover/api/core/v1";
import type { JsonObject } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { lastApplied, printLastApplied, withoutMarks } from "./last-applied.ts";

const read = (annotations: Record<string, string>, inflate?: (bytes: Uint8Array) => Uint8Array): Promise<JsonObject> => {
  return lastApplied(
    { metadata: { name: "x", annotations } },
    { log: recordingLog(new ManualClock()), ...(inflate === undefined ? {} : { inflate }) },
  );
};
const wrangler = "objectset.rio.cattle.io/applied";
const kubectl = "kubectl.kubernetes.io/last-applied-configuration";

describe("lastApplied", () => {
  it("prefers our annotation, then Wrangler's, then kubectl's", async () => {
    const all = { "drover.dev/last-applied": '{"a":1}', [wrangler]: '{"b":1}', [kubectl]: '{"c":1}' };
    expect(await read(all)).toEqual({ a: 1 });
    expect(await read({ [wrangler]: '{"b":1}', [kubectl]: '{"c":1}' })).toEqual({ b: 1 });
    expect(await read({ [kubectl]: '{"c":1}' })).toEqual({ c: 1 });
    expect(await read({})).toEqual({});
  });

  it("decompresses Wrangler's annotation, which has no base64 padding (§3.15)", async () => {
    for (const text of ['{"data":{"a":"1"}}', '{"data":{"a":"12"}}', '{"data":{"a":"123"}}']) {
      expect(await read({ [wrangler]: gzipSync(text).toString("base64").replace(/=+$/, "") }, gunzipSync)).toEqual(JSON.parse(text));
    }
  });

  it("falls back to the next annotation if one cannot be parsed", async () => {
    expect(await read({ [wrangler]: "H4sIAAAA", [kubectl]: '{"c":1}' }, gunzipSync)).toEqual({ c: 1 });
    expect(await read({ [wrangler]: "H4sIAAAA", [kubectl]: '{"c":1}' })).toEqual({ c: 1 });
    expect(await read({ "drover.dev/last-applied": "no json" })).toEqual({});
  });

  it("keeps field names, but no value of a Secret", () => {
    expect(printLastApplied(Secret, { data: { password: "c2VzYW1l" } })).toBe('{"data":{"password":""}}');
    expect(printLastApplied(ConfigMap, { data: { a: "b" } })).toBe('{"data":{"a":"b"}}');
  });

  it("does not contain its own annotations", () => {
    expect(withoutMarks({ metadata: { annotations: { "drover.dev/applied": "h", "drover.dev/last-applied": "{}", kept: "x" } } })).toEqual({
      metadata: { annotations: { kept: "x" } },
    });
  });
});
