import { parseQuery } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { StatusError } from "../status-error.ts";
import { podLogOptions } from "./pod-log-options.ts";

const now = 1_767_225_600_000;
const read = (query: string): ReturnType<typeof podLogOptions> => podLogOptions(parseQuery(query), "web", now);

function refusal(query: string): readonly [number | undefined, string | undefined] {
  try {
    read(query);
  } catch (error) {
    if (error instanceof StatusError) return [error.status.code, error.status.message];
    throw error;
  }
  return [undefined, undefined];
}

describe("podLogOptions", () => {
  it("defaults to the whole log without following", () => {
    expect(read("container=web")).toEqual({ follow: false, previous: false, timestamps: false });
  });

  it("parses flags without a value as true, and sinceSeconds relative to now", () => {
    expect(read("follow&previous=1&timestamps=False&tailLines=3&limitBytes=10&sinceSeconds=60")).toEqual({
      follow: true,
      previous: true,
      timestamps: false,
      tailLines: 3,
      limitBytes: 10,
      sinceMs: now - 60_000,
    });
    expect(read("sinceTime=2025-12-31T23:00:00Z")).toMatchObject({ sinceMs: now - 3_600_000 });
  });

  it.each([
    ["tailLines=x", 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ["sinceTime=soon", 400, 'parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"'],
    ["tailLines=-1", 422, 'PodLogOptions "web" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0'],
    ["limitBytes=0", 422, 'PodLogOptions "web" is invalid: limitBytes: Invalid value: 0: must be greater than 0'],
    ["sinceSeconds=0", 422, 'PodLogOptions "web" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0'],
    [
      "sinceSeconds=5&sinceTime=2025-12-31T23:00:00Z",
      422,
      'PodLogOptions "web" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ["stream=Stdout", 422, 'PodLogOptions "web" is invalid: stream: Forbidden: may not be specified'],
  ] as const)("refuses the log query %s with %i: %s", (query, code, message) => {
    expect(refusal(query)).toEqual([code, message]);
  });
});
