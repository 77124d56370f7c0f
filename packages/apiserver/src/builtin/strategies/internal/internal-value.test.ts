import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { samplePod } from "../../../testing/workload-sample.ts";
import { diffInternal, internalEqual, printInternal } from "./internal-value.ts";

describe("values as the server holds them", () => {
  it("show every field in the order of the struct, by its name in Go", () => {
    expect(printInternal("Toleration", { key: "a", operator: "Exists" })).toBe(
      '{"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
    );
  });

  it("keep the names of the API where the struct does", () => {
    expect(printInternal("*LabelSelector", { matchExpressions: [{ key: "a", operator: "Exists" }], matchLabels: { b: "c", a: "d" } })).toBe(
      '{"matchLabels":{"a":"d","b":"c"},"matchExpressions":[{"key":"a","operator":"Exists"}]}',
    );
    expect(printInternal("*LabelSelector", undefined)).toBe("null");
  });

  it("have the namespaces of the host in the security context", () => {
    expect(printInternal("PodSpec", { containers: [], hostPID: true })).toContain(
      '"SecurityContext":{"HostNetwork":false,"HostPID":true,"HostIPC":false,',
    );
  });

  it("have the metadata of a template in the template itself", () => {
    expect(printInternal("PodTemplateSpec", { metadata: { labels: { a: "b" } }, spec: { containers: [] } })).toMatch(
      /^\{"labels":\{"a":"b"\},"Spec":\{"Volumes":null,/,
    );
  });

  it("are equal when lists and maps are empty rather than missing, and when amounts are", () => {
    expect(
      internalEqual("ResourceRequirements", { limits: { memory: "1Gi" }, requests: {} }, { limits: { memory: "1073741824" }, claims: [] }),
    ).toBe(true);
    expect(internalEqual("Volume", { name: "a", emptyDir: {} }, { name: "a" })).toBe(false);
  });

  it("differ in indented lines", () => {
    expect(diffInternal("PodIP", { ip: "1.1.1.1" }, { ip: "1.1.1.2" })).toBe(
      '@@ -1,3 +1,3 @@\n {\n- "IP": "1.1.1.1"\n+ "IP": "1.1.1.2"\n }\n',
    );
  });

  it("print as JSON, whatever is in a pod", () => {
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
