import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { createClient } from "@drover/client";
import { testRuntime } from "@drover/machinery/testing";
import { z } from "zod";
import { describe, expect, it } from "vitest";
import { defineResource } from "../index.ts";
import { ruleProblems } from "./rule-problems.ts";

const define = (rule: string, more: object = {}) =>
  defineResource({
    group: "demo.drover.dev",
    version: "v1",
    kind: "WebApp",
    spec: z.object({
      host: z.string().max(100).optional(),
      replicas: z.int().default(1),
      labels: z.record(z.string(), z.string().max(10)).default({}),
      ports: z
        .array(z.object({ name: z.string().max(20), port: z.int() }))
        .max(10)
        .default([]),
      ...more,
    }),
    rules: [[rule, "no"]],
  });

describe("CEL rules in defineResource", () => {
  it.each([
    ["an unfinished expression", "self.spec.replicas >", "at 1:21: Syntax error: mismatched input '<EOF>'"],
    ["an unknown operator", "self.spec.replicas === 1", "at 1:22: Syntax error"],
    ["an error in the second line", "self.spec.replicas > 0 &&\n  (self.spec.host", "at 2:18: Syntax error"],
    ["a missing self", "spec.replicas > 0", "at 1:1: there is no variable spec\n    instead: self.spec, if"],
    [
      "a misspelt field",
      "self.spec.replica > 0",
      "there is no field replica\n    instead: one of its fields: host, replicas, labels, ports",
    ],
    ["a misspelt field in has()", "!has(self.spec.hots)", "there is no field hots"],
    [
      "a misspelt field of a list element",
      "self.spec.ports.all(p, p.nam != '')",
      "there is no field nam\n    instead: one of its fields: name, port",
    ],
    ["a misspelt field behind an index", "self.spec.ports[0].nam != ''", "there is no field nam"],
    ["a variable of a loop outside of it", "self.spec.ports.all(p, true) && p.port > 1", "there is no variable p"],
  ])("%s is refused with resource, rule and position", (_name, rule, message) => {
    expect(() => define(rule)).toThrow(message);
    expect(() => define(rule)).toThrow(
      `WebApp in demo.drover.dev/v1 cannot be expressed as a custom resource [DRV0101]:\n  the object: rule ${JSON.stringify(rule)} is not valid CEL`,
    );
  });

  it("names the field of a rule on a field, and its messageExpression", () => {
    const bad = z.object({ min: z.int(), max: z.int() }).meta({ "x-kubernetes-validations": [{ rule: "self.min <= self.maximum" }] });
    expect(() => define("true", { range: bad })).toThrow(
      / {2}spec\.range: rule "self\.min <= self\.maximum" is not valid CEL at 1:\d+: there is no field maximum/u,
    );
    const spoken = z.string().meta({ "x-kubernetes-validations": [{ rule: "self != ''", messageExpression: "'a' + " }] });
    expect(() => define("true", { ranges: z.array(spoken).max(3) })).toThrow(
      / {2}spec\.ranges\[\]: messageExpression "'a' \+ " is not valid CEL/u,
    );
  });

  it("accepts what the server accepts", async () => {
    const runtime = testRuntime();
    const server = await createApiServer({ runtime, host: nodeHost });
    const client = createClient({ transport: server.handle, clock: runtime.clock, log: runtime.log, namespace: "default" });
    const rules = [
      "!has(self.spec.host) || self.spec.replicas > 0",
      "self.metadata.name.startsWith('a') && self.kind == 'WebApp'",
      "self.spec.labels.all(key, key.size() < 10) && self.spec.labels.exists(k, self.spec.labels[k] == 'x')",
      "self.spec.ports.exists_one(p, p.name == 'http' && p.port > 0)",
      "self.spec.ports.map(p, p.port).sum() < 10",
      "self.spec.replicas >= oldSelf.spec.replicas",
      "type(self.spec.replicas) == int",
      "self.spec.?host.orValue('a') != 'b'",
      "optional.of(1).hasValue() || ip.isCanonical('127.0.0.1')",
      "[1, 2].all(i, v, v > i) && {'a': 1}.all(k, k == 'a')",
      "sets.contains([1], [self.spec.replicas]) && quantity('1').isGreaterThan(quantity('0')) && !format.dns1123Label().validate('a').hasValue()",
      "self.spec.labels.a == 'b'",
      "timestamp('2026-01-01T00:00:00Z') < timestamp('2027-01-01T00:00:00Z') && duration('1s') == duration('1000ms')",
    ];
    for (const rule of rules) {
      const created = client.create(CustomResourceDefinition, define(rule).definition(), { dryRun: "All" });
      await expect(created, rule).resolves.toBeDefined();
    }
    server.close();
  });

  it("ignores fields that may have any name", () => {
    const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: { type: "string" } } } as const;
    expect(ruleProblems({ ...open, "x-kubernetes-validations": [{ rule: "self.b == 'c'" }, { rule: "self.a__dash__b == ''" }] })).toEqual(
      [],
    );
  });
});
