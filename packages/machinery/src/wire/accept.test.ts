import { describe, expect, it } from "vitest";
import { formatAccept, negotiate, parseAccept } from "./accept.ts";
import type { Offer } from "./accept.ts";
import { partialObjectMetadataListAccept } from "../object/partial-object-metadata.ts";
import { tableAccept } from "./table.ts";

const json: Offer = { mediaType: "application/json", canStream: true };
const yaml: Offer = { mediaType: "application/yaml", canStream: false };
const protobuf: Offer = { mediaType: "application/vnd.kubernetes.protobuf", canStream: true };
const offers = [json, yaml, protobuf];
const plainOnly = (convert: unknown): boolean => convert === undefined;

describe("parseAccept", () => {
  it("parses kubectl's header, in its order", () => {
    const clauses = parseAccept(tableAccept);
    expect(clauses.map(({ parameters }) => Object.fromEntries(parameters))).toEqual([
      { as: "Table", v: "v1", g: "meta.k8s.io" },
      { as: "Table", v: "v1beta1", g: "meta.k8s.io" },
      {},
    ]);
    expect(formatAccept(clauses)).toBe(tableAccept);
    expect(formatAccept(parseAccept(partialObjectMetadataListAccept))).toBe(partialObjectMetadataListAccept);
  });
  it.each([
    ["*/*", "*/*"],
    ["*", "*/*"],
    ["", ""],
    [",,", ""],
    ["json", ""],
    ["a/b/c", ""],
    ["a/b/", "a/b"],
    ["text/", ""],
    [" application/json ; q=0.9 , application/yaml", "application/yaml,application/json;q=0.8999999761581421"],
    ["*/*, text/html, application/*", "text/html,application/*,*/*"],
    ["a/b;q=x", "a/b;q=0"],
    ["a/b;c;d=;e=f=g;h=i", "a/b;h=i"],
    ["application/json, */*;q=0.5", "application/json,*/*;q=0.5"],
  ])("parses %j as %j", (header, clauses) => expect(formatAccept(parseAccept(header))).toBe(clauses));
});

describe("negotiate", () => {
  const chosen = (header: string, allows: (convert: unknown) => boolean = plainOnly): string | undefined =>
    negotiate(header, offers, allows)?.offer.mediaType;
  it("takes the first offer without a preference", () => {
    expect(chosen("")).toBe("application/json");
    expect(chosen("*/*")).toBe("application/json");
    expect(chosen("application/*")).toBe("application/json");
  });
  it("takes the client's preferred format", () => {
    expect(chosen("application/json;q=0.5,application/yaml")).toBe("application/yaml");
    expect(chosen("text/html")).toBeUndefined();
  });
  it("skips conversions the endpoint lacks, and finds those it has", () => {
    expect(negotiate(tableAccept, offers, plainOnly)?.convert).toBeUndefined();
    expect(negotiate(tableAccept, offers, (convert) => convert?.kind === "Table")?.convert).toEqual({
      group: "meta.k8s.io",
      version: "v1",
      kind: "Table",
    });
    expect(chosen("application/json;as=Teapot;v=v1;g=meta.k8s.io")).toBeUndefined();
  });
  it("streams only what can be streamed", () => {
    expect(negotiate("application/vnd.kubernetes.protobuf;stream=watch", offers, plainOnly)?.stream).toBe("watch");
    expect(chosen("application/yaml;stream=watch")).toBeUndefined();
    expect(chosen("application/json;stream=other")).toBeUndefined();
    expect(chosen("application/json;sv=v2")).toBeUndefined();
    expect(negotiate("application/json;pretty=1;profile=nopeer", offers, plainOnly)).toMatchObject({ pretty: true, profile: "nopeer" });
  });
});
