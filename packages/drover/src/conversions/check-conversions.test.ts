import { defineResource } from "@drover/patterns";
import type { Resource } from "@drover/patterns";
import { compileRe2, compileSchema, createRandom, validate } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkConversions } from "./check-conversions.ts";
import { isConversionError } from "./conversion-error.ts";
import type { ConversionError } from "./conversion-error.ts";
import { ObjectGenerator } from "./object-generator.ts";
import { patternText } from "./pattern-text.ts";

const base = { group: "demo.example.com", version: "v1", kind: "WebApp" };
const current = z.object({ host: z.string().default("web"), port: z.int().min(1).max(65535).default(80), path: z.string().optional() });
const older = z.object({ address: z.string().regex(/^[a-z]*:[1-9][0-9]{0,3}$/), path: z.string().optional() });
type Current = z.output<typeof current>;

/** A resource whose older version holds host and port in one field. */
const split = (change: { up?: (spec: Current) => Current; down?: (spec: Current) => object }): Resource => {
  const { up = (spec: Current) => spec, down = () => ({}) } = change;
  return defineResource({
    ...base,
    spec: z.object({
      host: z
        .string()
        .regex(/^[a-z]*$/)
        .default("web"),
      port: z.int().min(1).max(9999).default(80),
      path: z.string().optional(),
    }),
    olderVersions: {
      v1beta1: {
        spec: older,
        up: ({ spec, status }) => {
          const { address, path } = spec as z.output<typeof older>;
          const [host = "", port = ""] = address.split(":");
          return {
            spec: up({ host, port: Number(port), ...(path === undefined ? {} : { path }) }),
            ...(status === undefined ? {} : { status }),
          };
        },
        down: ({ spec, status }) => {
          const { host, port, path } = spec as Current;
          return {
            spec: { address: `${host}:${port}`, ...(path === undefined ? {} : { path }), ...down(spec as Current) },
            ...(status === undefined ? {} : { status }),
          };
        },
      },
    },
  });
};

function failure(resource: Resource): ConversionError {
  try {
    checkConversions(resource);
  } catch (error) {
    if (isConversionError(error)) return error;
    throw error;
  }
  throw new Error("the conversions passed");
}

describe("checkConversions", () => {
  it("accepts lossless converters, and says how much it checked", () => {
    expect(checkConversions(split({}), { runs: 50 })).toEqual({ versions: ["v1beta1"], objects: 100 });
  });

  it("finds a field that is lost, with the smallest object (H6, F5)", () => {
    const error = failure(split({ up: ({ path: _, ...spec }) => spec }));
    expect(error.failure).toMatchObject({ versions: ["v1beta1", "v1", "v1beta1"], what: 'spec.path "" became nothing' });
    expect(error.failure.before).toEqual({
      apiVersion: "demo.example.com/v1beta1",
      kind: "WebApp",
      metadata: { name: "generated" },
      spec: { address: expect.stringMatching(/^[a-z]*:[1-9][0-9]*$/) as string, path: "" },
    });
    expect(error.message).toMatch(
      /^WebApp: conversion v1beta1 → v1 → v1beta1: spec.path "" became nothing \[DRV0109\]\n {2}before \(v1beta1\): /,
    );
    expect(error.message).toMatch(/found in run \d+ with seed 1$/);
  });

  it("finds a value that only some objects change", () => {
    const error = failure(split({ up: (spec) => ({ ...spec, port: Math.min(spec.port, 1000) }) }));
    expect(error.failure.what).toMatch(/^spec.address ".*" became ".*:1000"$/);
  });

  it("finds objects that are not valid in the other version, and converters that throw", () => {
    expect(failure(split({ up: (spec) => ({ ...spec, port: 0 }) })).failure.what).toContain(
      "not valid in v1: spec.port: Invalid value: 0: spec.port in body should be greater than or equal to 1",
    );
    const thrown = new Error("cannot");
    const error = failure(
      split({
        down: () => {
          throw thrown;
        },
      }),
    );
    expect(error.failure.what).toBe("the converter to v1beta1 threw: cannot");
    expect(error.cause).toBe(thrown);
  });

  it("finds a field of the current version that an older one cannot express, and accepts one that is kept in an annotation", () => {
    const key = "demo.example.com/size";
    const sized = (isKept: boolean): Resource =>
      defineResource({
        ...base,
        spec: z.object({ size: z.int().default(1) }),
        olderVersions: {
          v1beta1: {
            spec: z.object({}),
            up: ({ status, annotations: { [key]: size = "1", ...annotations } = {} }) => ({
              status,
              spec: { size: Number(size) },
              annotations,
            }),
            down: ({ spec, status, annotations = {} }) => {
              const { size } = spec as { size: number };
              return { status, spec: {}, annotations: isKept && size !== 1 ? { ...annotations, [key]: String(size) } : annotations };
            },
          },
        },
      });
    expect(failure(sized(false)).failure).toMatchObject({ versions: ["v1", "v1beta1", "v1"], what: "spec.size 0 became 1" });
    expect(checkConversions(sized(true)).objects).toBe(400);
  });

  it("finds converters that change labels, and checks nothing for a resource without older versions", () => {
    expect(checkConversions(defineResource({ ...base, spec: current }))).toEqual({ versions: [], objects: 0 });
    expect(() => checkConversions(split({}), { runs: 0 })).toThrow("runs must be a positive integer");
  });
});

describe("ObjectGenerator", () => {
  const Rich = defineResource({
    ...base,
    spec: z.object({
      text: z.string().min(2).max(5),
      count: z.int().min(-4).max(4).optional(),
      ratio: z.number().min(0).max(1).optional(),
      mode: z.enum(["a", "b"]).default("a"),
      list: z.array(z.object({ name: z.string(), on: z.boolean().optional() })).max(3),
      map: z.record(z.string(), z.int()).optional(),
      choice: z
        .discriminatedUnion("type", [
          z.strictObject({ type: z.literal("x"), x: z.int() }),
          z.strictObject({ type: z.literal("y"), y: z.string() }),
        ])
        .optional(),
      id: z.uuid().optional(),
      at: z.iso.datetime().optional(),
      either: z.union([z.int(), z.string()]).optional(),
    }),
    status: z.object({ ready: z.int().min(0) }),
  });

  it("makes valid objects, with optional fields present and absent, and every choice", () => {
    const generator = new ObjectGenerator(Rich.schema, createRandom(7));
    const compiled = compileSchema(Rich.schema);
    const seen = new Map<string, number>();
    for (let run = 0; run < 300; run++) {
      const object = generator.object();
      expect(validate(object, compiled)).toEqual([]);
      const spec = (object["spec"] ?? {}) as Record<string, unknown>;
      for (const key of Object.keys(spec)) seen.set(key, (seen.get(key) ?? 0) + 1);
      const { type } = (spec["choice"] ?? {}) as { type?: string };
      if (type !== undefined) seen.set(`choice ${type}`, 1);
    }
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining(["text", "count", "ratio", "mode", "list", "map", "id", "at", "either", "choice x", "choice y"]),
    );
    expect(seen.get("count")).toBeGreaterThan(100);
    expect(seen.get("count")).toBeLessThan(300);
  });

  it("gives the same objects for the same seed", () => {
    const objects = (seed: number): unknown =>
      Array.from(
        { length: 5 },
        (
          (generator) => () =>
            generator.object()
        )(new ObjectGenerator(Rich.schema, createRandom(seed))),
      );
    expect(objects(3)).toEqual(objects(3));
    expect(objects(3)).not.toEqual(objects(4));
  });

  it("names the field of a schema that is too hard", () => {
    const schema = { type: "object", required: ["a"], properties: { a: { type: "string", pattern: "^\\pL{40}$" } } };
    expect(() => new ObjectGenerator(schema, createRandom(1)).object()).toThrow(
      "cannot generate an object for this schema: a: Invalid value",
    );
  });
});

describe("patternText", () => {
  it.each([
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
    "^(foo|ba[rz])+:\\d{2,4}$",
    "^https?://[^/\\s]+(/.*)?$",
    "(?i)^[A-F0-9]{8}$",
    "^(?:[0-9]+)(?:\\.[0-9]+)?(Ki|Mi|Gi)?$",
    "^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$",
  ])("matches %s", (pattern) => {
    const random = createRandom(pattern);
    const matcher = compileRe2(pattern);
    for (let run = 0; run < 50; run++) expect(patternText(pattern, random, (text) => matcher.test(text))).toBeDefined();
  });
});
