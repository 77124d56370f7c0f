import type { PodTemplateSpec } from "@drover/api/core/v1";
import { deepFreeze } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { sameTemplate, withoutHash } from "./same-template.ts";

const template = (labels: Readonly<Record<string, string>>, more: PodTemplateSpec = {}): PodTemplateSpec => ({
  ...more,
  metadata: { ...more.metadata, labels: { ...labels } },
  spec: { containers: [{ name: "web", image: "web:1" }], ...more.spec },
});

describe("sameTemplate", () => {
  it("D119: ignores the hash label and nothing else", () => {
    const plain = template({ app: "web" });
    expect(sameTemplate(template({ app: "web", "pod-template-hash": "1" }), template({ app: "web", "pod-template-hash": "2" }))).toBe(true);
    expect(sameTemplate(template({ app: "web", "pod-template-hash": "1" }), plain)).toBe(true);
    expect(sameTemplate(template({ "pod-template-hash": "1" }), { spec: plain.spec ?? { containers: [] } })).toBe(true);
    expect(sameTemplate(plain, template({ app: "web" }, { metadata: { annotations: { a: "b" } } }))).toBe(false);
    expect(sameTemplate(plain, template({ app: "web", tier: "1" }))).toBe(false);
    expect(sameTemplate(plain, template({ app: "web" }, { spec: { containers: [{ name: "web", image: "web:2" }] } }))).toBe(false);
  });

  it("compares semantically", () => {
    const limits = (cpu: string): PodTemplateSpec =>
      template({ app: "web" }, { spec: { containers: [{ name: "web", resources: { limits: { cpu } } }], tolerations: [] } });
    expect(sameTemplate(limits("1"), limits("1000m"))).toBe(true);
    expect(sameTemplate(limits("1"), limits("2"))).toBe(false);
    expect(
      sameTemplate(
        template({ app: "web" }, { spec: { containers: [], volumes: [{ name: "v", emptyDir: {} }] } }),
        template({ app: "web" }, { spec: { containers: [], volumes: [{ name: "v" }] } }),
      ),
    ).toBe(false);
  });

  it("does not change its arguments", () => {
    const frozen = deepFreeze(template({ app: "web", "pod-template-hash": "1" }));
    expect(withoutHash(frozen).metadata?.labels).toEqual({ app: "web" });
    expect(frozen.metadata?.labels).toEqual({ app: "web", "pod-template-hash": "1" });
    expect(withoutHash({})).toEqual({});
  });
});
