import { describe, expect, it } from "vitest";
import { aggregateRequests } from "./aggregate-requests.ts";

const asking = (name: string, cpu: string, restartPolicy?: string): { name: string } =>
  ({ name, resources: { requests: { cpu } }, ...(restartPolicy === undefined ? {} : { restartPolicy }) }) as { name: string };
const sum = (containers: { name: string }[], initContainers: { name: string }[] = []): string | undefined =>
  aggregateRequests({ containers, initContainers }, "requests").get("cpu")?.toString();

describe("aggregateRequests", () => {
  it("sums regular containers", () => {
    expect(sum([asking("a", "1"), asking("b", "500m")])).toBe("1500m");
  });

  it("takes an init container that requests more", () => {
    expect(sum([asking("a", "1")], [asking("i", "3"), asking("j", "2")])).toBe("3");
  });

  it("adds sidecars from where they start", () => {
    expect(sum([asking("a", "1")], [asking("early", "2"), asking("side", "1", "Always"), asking("late", "2")])).toBe("3");
  });
});
