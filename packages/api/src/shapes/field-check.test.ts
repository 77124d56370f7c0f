import { describe, expect, it } from "vitest";
import { checkFields } from "./field-check.ts";
import { structShape } from "./typed-shape.ts";

const check =
  (...paths: string[]) =>
  () =>
    checkFields("Pod", structShape("core/v1.Pod"), paths);

describe("checkFields", () => {
  it("accepts every path that the type has, through lists and embedded types", () => {
    expect(
      check("spec.nodeName", "status", "spec.containers.image", "spec.volumes.configMap.name", "metadata.labels", "kind", "apiVersion"),
    ).not.toThrow();
    expect(check()).not.toThrow();
  });

  it("names the nearest field for one that the type does not have", () => {
    expect(check("spec.nodename")).toThrow(
      new TypeError('fields of Pod: there is no field "spec.nodename"; did you mean "spec.nodeName"?'),
    );
    expect(check("spec.container.image")).toThrow('did you mean "spec.containers"?');
    expect(check("specs")).toThrow('did you mean "spec"?');
  });

  it("names all fields if none is near", () => {
    expect(check("replicas")).toThrow(
      new TypeError('fields of Pod: there is no field "replicas"; Pod has kind, apiVersion, metadata, spec, status'),
    );
    expect(check("spec.securityContext.sysctls.image")).toThrow(/"spec.securityContext.sysctls" has name, value$/);
  });

  it("refuses to lead into a map, a scalar or a type with its own format, and says what to declare", () => {
    expect(check("metadata.labels.app")).toThrow(
      new TypeError(
        'fields of Pod: "metadata.labels.app" leads into "metadata.labels", a map, whose keys cannot be declared; declare "metadata.labels"',
      ),
    );
    expect(check("spec.nodeName.x")).toThrow('leads into "spec.nodeName", whose type string has no fields; declare "spec.nodeName"');
    expect(check("status.startTime.seconds")).toThrow('whose type v1.Time has no fields; declare "status.startTime"');
  });
});
