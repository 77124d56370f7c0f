import { hostname } from "node:os";
import { expect, it } from "vitest";
import { serverNames } from "./server-names.ts";

it("calls a server on loopback by the names of loopback, and by those of every cluster", () => {
  const { dnsNames, ips, local } = serverNames("127.0.0.1");
  expect([ips, local]).toEqual([["127.0.0.1", "::1"], "127.0.0.1"]);
  expect(dnsNames).toEqual([
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
  ]);
});

it("adds the address it listens on", () => {
  expect(serverNames("192.0.2.7").ips).toEqual(["127.0.0.1", "::1", "192.0.2.7"]);
  expect(serverNames("fd00::1").local).toBe("[fd00::1]");
});

it("takes all the names of this machine when it listens everywhere, and is reached through loopback from here", () => {
  expect(serverNames("0.0.0.0").dnsNames).toContain(hostname());
  expect([serverNames("0.0.0.0").local, serverNames("::").local]).toEqual(["127.0.0.1", "[::1]"]);
  expect(serverNames("0.0.0.0").ips).not.toContain("0.0.0.0");
});
