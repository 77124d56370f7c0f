import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printFieldErrors } from "../field/field-error-text.ts";
import { defaultListOptions, encodeListOptions, parseListOptions, validateListOptions } from "./list-options.ts";
import type { ListOptions, ResourceVersionMatch } from "./list-options.ts";
import { parseQuery } from "./query.ts";

const text = fc.string({ minLength: 1 });
const options: fc.Arbitrary<ListOptions> = fc.record(
  {
    labelSelector: text,
    fieldSelector: text,
    watch: fc.constant(true),
    allowWatchBookmarks: fc.constant(true),
    resourceVersion: text,
    resourceVersionMatch: fc.constantFrom<ResourceVersionMatch>("NotOlderThan", "Exact"),
    timeoutSeconds: fc.maxSafeInteger(),
    limit: fc.integer({ min: 1 }),
    continue: text,
    sendInitialEvents: fc.boolean(),
    shardSelector: text,
  },
  { requiredKeys: [] },
);

describe("ListOptions", () => {
  it("round-trip through the query", () => {
    fc.assert(
      fc.property(options, (given) => {
        expect(parseListOptions(parseQuery(encodeListOptions(given)))).toEqual(given);
      }),
    );
  });
  it("are written sorted by name, without unset options", () => {
    expect(
      encodeListOptions({
        watch: true,
        resourceVersion: "7",
        limit: 0,
        labelSelector: "",
        timeoutSeconds: 0,
        sendInitialEvents: false,
        allowWatchBookmarks: false,
      }),
    ).toBe("resourceVersion=7&sendInitialEvents=false&timeoutSeconds=0&watch=true");
    expect(encodeListOptions({})).toBe("");
  });
  it("ignore unknown parameters", () => {
    expect(parseListOptions(parseQuery("pretty=true&Limit=5&limit=&limit=7".replace("limit=&", "")))).toEqual({ limit: 7 });
  });
  it("default to initial events for a watch from the start", () => {
    const full = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
    expect(defaultListOptions({ watch: true })).toEqual({ watch: true, ...full });
    expect(defaultListOptions({ watch: true, resourceVersion: "0" })).toEqual({ watch: true, resourceVersion: "0", ...full });
    for (const given of [{}, { watch: true, resourceVersion: "5" }, { watch: true, sendInitialEvents: false }] satisfies ListOptions[])
      expect(defaultListOptions(given)).toEqual(given);
  });
  it.each<[string, string]>([
    ["", ""],
    ["resourceVersion=0&resourceVersionMatch=NotOlderThan", ""],
    ["watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", ""],
    ["resourceVersionMatch=Exact", "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided"],
    [
      "resourceVersionMatch=Exact&resourceVersion=0",
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      "resourceVersionMatch=Exact&resourceVersion=5&continue=x",
      "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided",
    ],
    [
      "resourceVersionMatch=foo&resourceVersion=5",
      'resourceVersionMatch: Unsupported value: "foo": supported values: "Exact", "NotOlderThan", ""',
    ],
    ["sendInitialEvents=true", "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"],
    [
      "watch=1&sendInitialEvents=false",
      "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
    ],
    [
      "watch=1&resourceVersionMatch=Exact&continue=c",
      "[resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, " +
        'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan", resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided]',
    ],
  ])("with %j give the response %j", (query, answer) => {
    expect(printFieldErrors(validateListOptions(parseListOptions(parseQuery(query))))).toBe(answer);
  });
  it("require a server with WatchList for initial events", () => {
    expect(
      printFieldErrors(
        validateListOptions({ watch: true, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" }, { watchList: false }),
      ),
    ).toBe("sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled");
  });
});
