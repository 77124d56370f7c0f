import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { samplePod } from "../../../testing/workload-sample.ts";
import { diffInternal, internalEqual, printInternal } from "./internal-value.ts";

describe("internal values", () => {
  it("print every field in struct order under its Go name", () => {
    expect(printInternal("Toleration", { key: "a", operator: "Exists" })).toBe(
      '{"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
    );
  });

  it("keep JSON names where the struct has them", () => {
    expect(printInternal("*LabelSelector", { matchExpressions: [{ key: "a", operator: "Exists" }], matchLabels: { b: "c", a: "d" } })).toBe(
      '{"matchLabels":{"a":"d","b":"c"},"matchExpressions":[{"key":"a","operator":"Exists"}]}',
    );
    expect(printInternal("*LabelSelector", undefined)).toBe("null");
  });

  it("have host namespaces in the security context", () => {
    expect(printInternal("PodSpec", { containers: [], hostPID: true })).toContain(
      '"SecurityContext":{"HostNetwork":false,"HostPID":true,"HostIPC":false,',
    );
  });

  it("embed the metadata of a template", () => {
    expect(printInternal("PodTemplateSpec", { metadata: { labels: { a: "b" } }, spec: { containers: [] } })).toMatch(
      /^\{"labels":\{"a":"b"\},"Spec":\{"Volumes":null,/,
    );
  });

  it("compare empty lists as absent and quantities by amount", () => {
    expect(
      internalEqual("ResourceRequirements", { limits: { memory: "1Gi" }, requests: {} }, { limits: { memory: "1073741824" }, claims: [] }),
    ).toBe(true);
    expect(internalEqual("Volume", { name: "a", emptyDir: {} }, { name: "a" })).toBe(false);
  });

  it("diffInternal prints indented lines", () => {
    expect(diffInternal("PodIP", { ip: "1.1.1.1" }, { ip: "1.1.1.2" })).toBe(
      '@@ -1,3 +1,3 @@\n {\n- "IP": "1.1.1.1"\n+ "IP": "1.1.1.2"\n }\n',
    );
  });

  it("print as valid JSON for any pod spec", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), fc.array(fc.string()), (nodeSelector, command) => {
        const { spec } = samplePod({});
        const text = printInternal("PodSpec", { ...spec, nodeSelector, containers: [{ name: "c", command }] });
        const { NodeSelector, Containers } = JSON.parse(text) as { NodeSelector: unknown; Containers: { Command: unknown }[] };
        expect(NodeSelector ?? {}).toEqual(JSON.parse(JSON.stringify(nodeSelector).replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, "\ufffd")));
        expect(Containers[0]?.Command ?? []).toHaveLength(command.length);
      }),
    );
  });
});
